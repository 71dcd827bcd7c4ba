//! Checks that a part that asks for the right parameters computes something with them.

use softmark_wire::Attempt;

use crate::case::Case;
use crate::check::{Judged, wrong};
use crate::subject::{Subject, finite};

/// Checks that a part gives another answer if every parameter is changed: code that returns its inputs computes
/// nothing.
///
/// A part that ends in an error passes: its parameters may still be correct, and other checks test its
/// numbers.
///
/// # Errors
///
/// Fails with the verdict if both answers are identical bit for bit.
pub fn computes(subject: &mut Subject<'_>, case: &Case) -> Judged {
    moves(subject, case, &other_parameters(case, |_| true), "every parameter was changed")
}

/// Checks that a part gives different answers to two cases; `changed` states how the other one differs.
///
/// A part that ends in an error passes, as in [`computes`].
///
/// # Errors
///
/// Fails with the verdict if both answers are identical bit for bit.
pub fn moves(subject: &mut Subject<'_>, case: &Case, other: &Case, changed: &str) -> Judged {
    let Attempt::Success(before) = subject.try_forward(case)? else { return Ok(()) };
    let Attempt::Success(after) = subject.try_forward(other)? else { return Ok(()) };
    let (before, after) = (before.arrays(), after.arrays());
    let is_same = before.iter().all(|(name, array)| {
        after.get(name).is_some_and(|it| it.shape() == array.shape() && !it.differs(array))
    });
    if !is_same {
        return Ok(());
    }
    for (of, arrays) in [(case, &before), (other, &after)] {
        arrays.iter().try_for_each(|(name, array)| finite(of, name, array))?;
    }
    let message = format!(
        "The right parameters are asked for, but {changed}, and not one bit of the answer moved. Look at \
         what the result is made of."
    );
    Err(wrong(other, message))
}

/// Returns the case with other values for the parameters that `which` names, each number moved by another amount, which
/// no norm and no mean evens out.
#[must_use]
pub fn other_parameters(case: &Case, which: impl Fn(&str) -> bool) -> Case {
    let mut n = 0.0;
    let mut other = case.clone();
    for (_, array) in other.parameters.iter_mut().filter(|(name, _)| which(name)) {
        *array = array.map(|x| {
            n += 1.0;
            x + 1.0 / n
        });
    }
    other.label = format!("{}, parameters changed", case.label);
    other
}
