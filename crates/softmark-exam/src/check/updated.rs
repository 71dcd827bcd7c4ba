//! Checks that a component keeps no stale state between calls: the updates of an optimizer, and
//! other inputs, take effect at the next call.

use softmark_checks::case::InputKind;
use softmark_checks::check::{Judged, Stop, wrong};
use softmark_checks::subject::{compare, responds};
use softmark_checks::{Array, Case, Outcome, Subject};
use softmark_common::compare::Tolerance;
use softmark_wire::Attempt;

/// Returns the case with the trainable parameters of `other`: a question of the same sizes with
/// other numbers.
pub fn with_parameters_of(case: &Case, other: &Case, learns: &dyn Fn(&str) -> bool) -> Case {
    let learned = other.parameters.iter().filter(|(name, _)| learns(name));
    learned.fold(case.clone(), |case, (name, array)| case.with_parameter(name, array))
}

/// Checks that the component answers `case`, after its parameters were changed in place to those of
/// `changed`, like a component that is constructed with those.
///
/// The component is compared with itself: other checks test whether its answers are right. Both
/// answers come from the same code with the same numbers, so `tolerance`, which covers the rounding
/// of any right answer, covers their difference. `hint` comes before the other hints of the message.
///
/// # Errors
///
/// Fails with the verdict if they differ, or if the answer does not depend on the parameters at
/// all.
pub fn follows_updates(
    subject: &mut Subject<'_>,
    (case, changed): (&Case, &Case),
    (output, shape): (&str, &[usize]),
    tolerance: Tolerance,
    hint: &str,
) -> Judged {
    let before = subject.forward(case)?.get(case, output, shape)?;
    let want = subject.forward(changed)?.get(changed, output, shape)?;
    let pairs = case.parameters.iter().zip(&changed.parameters);
    let names: Vec<&str> =
        pairs.filter(|(old, new)| old != new).map(|(_, (name, _))| name.as_str()).collect();
    responds(changed, output, (&before, &want), "All parameters that learn were changed")?;
    let after = subject.forward_updated(case, (changed, &names))?.get(changed, output, shape)?;
    let look = &format!(
        "{hint}Look at what your code makes of its parameters and keeps, in `new` or at the first call: a \
         tensor that is computed from them, such as a transposed or concatenated weight, is a copy that no \
         update reaches."
    );
    let claim = "The parameters were changed in place, as an optimizer changes them, and the output \
                 should be that of a part made with the new ones";
    let Err(stop) = compare(changed, output, (&after, &want), tolerance, (claim, look)) else {
        return Ok(());
    };
    // Find the parameter at fault: the first that changes the output of a new component but not of
    // this one.
    for name in names {
        let one = case.with_parameter(name, &changed.get_parameter(name));
        let want = subject.forward(&one)?.get(&one, output, shape)?;
        if !want.differs(&before) {
            continue;
        }
        let after = subject.forward_updated(case, (&one, &[name]))?.get(&one, output, shape)?;
        if !after.differs(&before) {
            let message = format!(
                "`{name}` was changed in place, as an optimizer changes it, and `{output}` stayed \
                 exactly as it was, though a part made with the new numbers answers differently: \
                 training would not reach this parameter. {look}"
            );
            return Err(wrong(changed, message));
        }
    }
    Err(stop)
}

/// Checks that a component answers `second`, after it answered `first`, like a new component.
///
/// The two cases have the same sizes and parameters, and differ in the lengths of sequences, in masks, in other
/// inputs or in the mode, training or evaluation. The component is compared with itself; other checks report a
/// component that does not answer `second` at all.
///
/// # Errors
///
/// Fails with the verdict if the answers differ.
pub fn answers_again(
    subject: &mut Subject<'_>,
    (first, second): (&Case, &Case),
    (output, shape): (&str, &[usize]),
    tolerance: Tolerance,
) -> Judged {
    let Attempt::Success(answer) = subject.try_forward(second)? else { return Ok(()) };
    let Ok(want) = answer.get(second, output, shape) else { return Ok(()) };
    if want.first_not_finite().is_some() {
        return Ok(());
    }
    let twice = made_once_and_called_twice(first, second);
    let again = subject.forward_again(first, second).map_err(|stop| of_two_calls(stop, &twice))?;
    let got = again.get(second, output, shape)?;
    let claim = format!("{twice}, and the second output should be that of a new part");
    let words = (
        claim.as_str(),
        "Look at what is kept from one call to the next: a mask, rows of a table or anything else that is \
         made of the inputs of one call does not belong to another.",
    );
    compare(second, output, (&got, &want), tolerance, words)
}

/// Returns the sentence about the calls of the component.
fn made_once_and_called_twice(first: &Case, second: &Case) -> String {
    let without_masks = |case: &Case| -> Vec<Array> {
        let inputs = case.inputs.iter().filter(|it| it.kind != InputKind::Mask);
        inputs.map(|it| it.array.clone()).collect()
    };
    let (one, other) = (without_masks(first), without_masks(second));
    let is_longer = one.iter().zip(&other).any(|(x, y)| x.shape() != y.shape());
    let mut differences = Vec::new();
    if is_longer {
        differences.push("sequences of another length");
    } else if one != other {
        differences.push("other inputs");
    }
    if first.find("mask") != second.find("mask") {
        differences.push(if second.find("mask").is_some() { "another mask" } else { "no mask" });
    }
    if first.find_size("train") != second.find_size("train") {
        let is_on = second.find_size("train") == Some(1);
        differences.push(if is_on { "`train` true" } else { "`train` false" });
    }
    let twice = "The part was made once and called twice";
    if differences.is_empty() {
        return format!("{twice} with the same question");
    }
    format!("{twice}, the second time with {}", differences.join(" and "))
}

/// Adds the sentence about the two calls to the message of a fault.
fn of_two_calls(stop: Stop, twice: &str) -> Stop {
    let outcome = match stop {
        Stop::Outcome(outcome) => *outcome,
        error @ Stop::Error(_) => return error,
    };
    match outcome {
        Outcome::Fault { fault, message, evidence } => {
            let message =
                format!("{twice}. {message} Look at what is kept from one call to the next.");
            Outcome::Fault { fault, message, evidence }.into()
        }
        other @ (Outcome::Pass
        | Outcome::Wrong { .. }
        | Outcome::NotImplemented { .. }
        | Outcome::Blocked { .. }) => other.into(),
    }
}
