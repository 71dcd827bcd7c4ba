//! Checks that a part that asks for the right parameters computes something with them.

use crate::array::Array;
use crate::case::{Case, InputKind};
use crate::check::{Judged, wrong};
use crate::subject::{Subject, finite};

/// Fails a part that answers with the same numbers when every parameter and every input is another one.
///
/// A part that ends in an error passes: its parameters may be right all the same, and other checks ask for
/// its numbers.
///
/// # Errors
///
/// The verdict, if the answer stays the same to the bit.
pub fn computes(subject: &mut Subject<'_>, case: &Case) -> Judged {
    moves(subject, case, &other(case), "every parameter and every input was changed")
}

/// Fails a part that answers two cases with the same numbers; `changed` says how the other one differs.
///
/// A part that ends in an error passes, as in [`computes`].
///
/// # Errors
///
/// The verdict, if the answer stays the same to the bit.
pub fn moves(subject: &mut Subject<'_>, case: &Case, other: &Case, changed: &str) -> Judged {
    let Ok(before) = subject.try_forward(case)? else { return Ok(()) };
    let Ok(after) = subject.try_forward(other)? else { return Ok(()) };
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
        "The right parameters are asked for, and the answer does not depend on them: {changed}, and not \
         one bit of it moved. Look at what the result is made of."
    );
    Err(wrong(other, message))
}

/// The case with other parameters and other inputs, each number moved by another amount, which no norm and no
/// mean evens out.
fn other(case: &Case) -> Case {
    let mut n = 0.0;
    let mut moved = |array: &Array| {
        array.map(|x| {
            n += 1.0;
            x + 1.0 / n
        })
    };
    let mut other = case.clone();
    for (_, array) in &mut other.parameters {
        *array = moved(array);
    }
    for input in other.inputs.iter_mut().filter(|input| input.kind == InputKind::Numbers) {
        input.array = moved(&input.array);
    }
    other.label = format!("{}, all parameters and inputs changed", case.label);
    other
}
