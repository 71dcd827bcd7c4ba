//! What stands inside of a part, asked by itself: for checks of a part that works on the submission's
//! own parts.

use softmark_checks::{Answer, Case, Outcome, Stop, Subject};
use softmark_wire::{Failure, FailureKind, Fault};

/// What the submission's own part answers to `inner`, the question that the part asked by `outer`
/// should put to it; `read` takes its answer apart.
///
/// # Errors
///
/// "Blocked" by the check of that id and its task's check of shapes, where the part inside gives no
/// answer or one of another shape; "not implemented" where both parts are stubs.
pub fn answer_inside<T>(
    subject: &mut Subject<'_>,
    (outer, inner): (&Case, &Case),
    by: &str,
    read: impl FnOnce(&Case, &Answer) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let blocked = |message: String| Stop::from(Outcome::Blocked { by: by.to_owned(), message });
    let answer = match subject.try_forward(inner)? {
        Ok(answer) => answer,
        Err(fault) => {
            // A stub inside is met again by the part around it, if that is not one itself.
            if let Err(of_outer) = subject.try_forward(outer)?
                && is_stub(&of_outer)
            {
                let evidence = outer.evidence();
                return Err(Outcome::from_fault(of_outer, evidence).into());
            }
            return Err(blocked(if is_stub(&fault) {
                "the part inside is not implemented".to_owned()
            } else {
                format!("the part inside gives no answer: the code {fault}")
            }));
        }
    };
    read(inner, &answer).map_err(|stop| match stop {
        Stop::Outcome(_) => blocked("the part inside answers in another shape or type".to_owned()),
        error @ Stop::Error(_) => error,
    })
}

fn is_stub(fault: &Fault) -> bool {
    matches!(fault, Fault::Code(Failure { kind: FailureKind::NotImplemented, .. }))
}
