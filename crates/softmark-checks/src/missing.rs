//! Parameters that a constructor does not request, and those that it requests in vain.

use softmark_wire::{Failure, FailureKind, Fault};

use crate::case::Case;
use crate::check::{Judged, wrong};
use crate::subject::{Subject, fault};

/// Checks that construction fails if one of `names` is missing: the constructor must return the error
/// that the builder returns.
///
/// # Errors
///
/// Fails with the verdict if the part answers or panics.
pub fn refused_without(subject: &mut Subject<'_>, case: &Case, names: &[&str]) -> Judged {
    for name in names {
        let mut lacking = case.clone();
        lacking.parameters.retain(|(of, _)| of != name);
        lacking.label = format!("{}, without {name}", case.label);
        let claim = format!("There is no `{name}`, so `new` should return an error");
        let look = "Look at what is done with what the builder returns.";
        match subject.try_forward(&lacking)?.into_result() {
            Err(Fault::Code(Failure {
                kind: FailureKind::Refused | FailureKind::Parameter,
                ..
            })) => {}
            Err(Fault::Code(Failure { kind: FailureKind::Panicked, message, place })) => {
                let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
                let message = format!("{claim}. It panicked{at} instead: {message}. {look}");
                return Err(wrong(&lacking, message));
            }
            Err(other) => return Err(fault(&lacking, other)),
            Ok(_) => {
                return Err(wrong(&lacking, format!("{claim}. It returned none. {look}")));
            }
        }
    }
    Ok(())
}

/// Returns the parameters of the case that the part did not request.
#[must_use]
pub fn never_asked(case: &Case, asked: &[(String, Vec<usize>)]) -> Vec<String> {
    let names = case.parameters.iter().map(|(name, _)| name);
    names.filter(|name| !asked.iter().any(|(of, _)| of == *name)).cloned().collect()
}
