//! Comparison of answers with the claims of a check, and messages about the differences.

use softmark_common::compare::{Difference, Tolerance, first_difference};
use softmark_wire::{Failure, FailureKind, Fault};

use crate::array::{Array, short, short_pair};
use crate::case::Case;
use crate::margin;
use crate::outcome::{Compared, Evidence, Outcome};
use crate::subject::{Answer, Subject, fault};
use crate::verdict::{Judged, wrong};

/// Compares one of an answer's arrays with its expected values.
///
/// `claim` states the relation of the two, such as "each row of `weights` sums to one"; `look` names the place
/// to look at, but not the correction.
///
/// # Errors
///
/// Fails with the verdict if the two differ by more than the tolerance.
pub fn compare(
    case: &Case,
    name: &str,
    (got, want): (&Array, &Array),
    tolerance: Tolerance,
    (claim, look): (&str, &str),
) -> Judged {
    margin::note((got, want), tolerance);
    let Some(first) = first_difference(got.values(), want.values(), want.shape(), tolerance) else {
        return Ok(());
    };
    let output = Some(name.to_owned());
    let evidence = Evidence { output, compared: Compared::of(got, want), ..case.evidence() };
    let outcome = if got.first_not_finite().is_some() || want.first_not_finite().is_some() {
        not_finite((name, evidence), (got, want), (claim, look))
    } else {
        let message = differs(name, &first, want.values().len(), (claim, look));
        let evidence = Evidence {
            index: Some(first.index),
            got: Some(first.got),
            expected: Some(first.want),
            allowed: Some(first.allowed),
            ..evidence
        };
        Outcome::Wrong { message, evidence }
    };
    Err(outcome.into())
}

/// Message about `n` values that are not all as expected; `first` is the first difference.
fn differs(name: &str, first: &Difference, n: usize, (claim, look): (&str, &str)) -> String {
    let (is, expected) = short_pair(first.got, first.want);
    let how_many = match (first.count, n) {
        (_, 1) => String::new(),
        (1, _) => format!("; 1 of {n} values differs"),
        (count, _) => format!("; {count} of {n} values differ"),
    };
    let allowed = if first.allowed == 0.0 {
        "they must be equal bit for bit".to_owned()
    } else {
        format!("±{} is allowed", short(first.allowed))
    };
    let at = &first.index;
    format!(
        "{claim}. At {at:?} `{name}` is {is}; expected {expected} ({allowed}{how_many}). {look}"
    )
}

/// Hint at the operations that give a `NaN` or an infinity.
fn origin(x: f64) -> &'static str {
    if x.is_nan() {
        "NaN comes from 0/0, ∞ − ∞ or 0 · ∞: look for the first step that gives it."
    } else {
        "An infinity comes from a division by zero, or from a number that is too large for f32: look \
         for the first step that gives it."
    }
}

/// Count of the values that are `NaN` or infinite, as text; empty if there is only one value.
fn share_not_finite(array: &Array) -> String {
    let n = array.values().len();
    match array.values().iter().filter(|x| !x.is_finite()).count() {
        _ if n == 1 => String::new(),
        1 => format!(" (1 of {n} values is not finite)"),
        count => format!(" ({count} of {n} values are not finite)"),
    }
}

/// Returns the verdict for a `got`, or an array that it is compared with, that contains a `NaN` or an infinity.
///
/// The array that `got` is compared with may come from the submission too: if it is not finite, the claim
/// cannot be judged.
fn not_finite(
    (name, evidence): (&str, Evidence),
    (got, want): (&Array, &Array),
    (claim, look): (&str, &str),
) -> Outcome {
    let Some(at) = got.first_not_finite() else {
        let at = want.first_not_finite().unwrap_or_default();
        let (is, share) = (want.at(&at), share_not_finite(want));
        let message = format!(
            "`{name}` is to be compared with another of your results, which is {} at {at:?}{share} and \
             should be finite. {}",
            short(is),
            origin(is)
        );
        return Outcome::Wrong { message, evidence };
    };
    let (is, share) = (got.at(&at), share_not_finite(got));
    let (shown, from) = (short(is), origin(is));
    // The two may be of different lengths.
    let place = got.values().iter().position(|x| !x.is_finite());
    let expected = place.and_then(|place| want.values().get(place)).copied();
    let expected = expected.filter(|_| want.first_not_finite().is_none());
    let message = match expected.map(short) {
        Some(expected) => {
            format!(
                "{claim}. At {at:?} `{name}` is {shown}; expected {expected}{share}. {from} {look}"
            )
        }
        None => format!("`{name}` is {shown} at {at:?}{share}, and should be finite. {from}"),
    };
    let evidence = Evidence { index: Some(at), got: Some(is), expected, ..evidence };
    Outcome::Wrong { message, evidence }
}

/// Checks that an output is finite. Must run before any verdict on an output that did not change: `NaN` never
/// counts as a change, and equals nothing.
///
/// # Errors
///
/// Fails with the verdict if one of the output's numbers is not finite.
pub fn finite(case: &Case, name: &str, array: &Array) -> Judged {
    if array.first_not_finite().is_none() {
        return Ok(());
    }
    let evidence = Evidence { output: Some(name.to_owned()), ..case.evidence() };
    Err(not_finite((name, evidence), (array, array), ("", "")).into())
}

/// Checks that two results differ: the control of a check that requires an output not to change.
///
/// Without it, code that always answers the same would pass.
///
/// # Errors
///
/// Fails with the verdict if all of their numbers are equal.
pub fn responds(
    case: &Case,
    name: &str,
    (before, after): (&Array, &Array),
    changed: &str,
) -> Judged {
    if before.differs(after) {
        return Ok(());
    }
    [before, after].into_iter().try_for_each(|it| finite(case, name, it))?;
    let evidence = Evidence { output: Some(name.to_owned()), ..case.evidence() };
    let message = format!(
        "{changed}, and `{name}` did not change at all: what was changed does not seem to be used. Look at what \
         the result is made of."
    );
    Err(Outcome::Wrong { message, evidence }.into())
}

/// Checks that the part refuses `case` with an error, and answers `fitting`, a similar valid case.
///
/// # Errors
///
/// Fails with the verdict if the part answers `case`, or fails in another way.
pub fn refuses(
    subject: &mut Subject<'_>,
    (fitting, case): (&Case, &Case),
    (claim, look): (&str, &str),
) -> Judged {
    // Code that refuses every case must not pass.
    subject.forward(fitting)?;
    match subject.try_forward(case)?.into_result() {
        Err(Fault::Code(Failure { kind: FailureKind::Refused, .. })) => Ok(()),
        Err(Fault::Code(Failure { kind: FailureKind::Panicked, message, place })) => {
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            let message = format!(
                "{claim}. It panicked{at} instead of returning an error: {message}. {look}"
            );
            Err(wrong(case, message))
        }
        Err(other) => Err(fault(case, other)),
        Ok(answer) => {
            let came = returned(case, &answer);
            Err(wrong(case, format!("{claim}. It returned {came} instead of an error. {look}")))
        }
    }
}

/// Describes an answer by what the part's trait returns.
fn returned(case: &Case, answer: &Answer) -> String {
    if let Some(answer) = case.signature.answer {
        return answer.to_owned();
    }
    let unmentioned = case.signature.unmentioned;
    let outputs = answer.tensors().iter().filter(|(name, _)| !unmentioned.contains(&name.as_str()));
    let shapes: Vec<String> =
        outputs.map(|(name, tensor)| format!("`{name}` of shape {:?}", tensor.shape())).collect();
    shapes.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Signature;
    use crate::verdict::Stop;

    static POOLING: Signature =
        Signature::new("masked-pooling", &[&["kind"]], &["x", "mask"], &["output"]);

    const WORDS: (&str, &str) = ("The two should be equal", "Look there.");

    fn array(values: &[f64]) -> Array {
        Array::new(&[values.len()], values.to_vec())
    }

    fn told(judged: Judged) -> (String, Evidence) {
        let Err(Stop::Outcome(outcome)) = judged else { panic!("{judged:?}") };
        let Outcome::Wrong { message, evidence } = *outcome else { panic!("{outcome:?}") };
        (message, evidence)
    }

    fn compared(got: &[f64], want: &[f64]) -> (String, Evidence) {
        let case = Case::new(&POOLING, "B=1".to_owned());
        let pair = (&array(got), &array(want));
        told(compare(&case, "output", pair, Tolerance::EXACT, WORDS))
    }

    #[test]
    fn numbers_that_differ_are_told_with_place_and_expectation() {
        let (message, evidence) = compared(&[1.0, 2.0, 4.0], &[1.0, 3.0, 5.0]);
        assert_eq!(
            message,
            "The two should be equal. At [1] `output` is 2; expected 3 (they must be equal bit for \
             bit; 2 of 3 values differ). Look there."
        );
        assert_eq!((evidence.got, evidence.expected), (Some(2.0), Some(3.0)));
        let case = Case::new(&POOLING, "B=1".to_owned());
        let tolerance = Tolerance { relative: 0.0, absolute: 0.5 };
        let pair = (&array(&[1.0, 2.0]), &array(&[1.0, 3.0]));
        let (message, _) = told(compare(&case, "output", pair, tolerance, WORDS));
        assert!(message.contains("(±0.5 is allowed; 1 of 2 values differs)"), "{message}");
    }

    #[test]
    fn zero_has_no_sign_and_close_numbers_are_told_apart() {
        let (message, _) = compared(&[1.0], &[-0.0]);
        assert!(message.contains("`output` is 1; expected 0 ("), "{message}");
        let (message, _) = compared(&[0.333_333_3], &[0.333_333_4]);
        assert!(message.contains("is 3.333333e-1; expected 3.333334e-1"), "{message}");
    }

    #[test]
    fn nan_is_told_as_nan() {
        let (message, evidence) = compared(&[1.0, f64::NAN], &[1.5, 3.0]);
        assert_eq!(
            message,
            "The two should be equal. At [1] `output` is NaN; expected 3 (1 of 2 values is not \
             finite). NaN comes from 0/0, ∞ − ∞ or 0 · ∞: look for the first step that gives it. Look \
             there."
        );
        assert_eq!((evidence.index, evidence.expected), (Some(vec![1]), Some(3.0)));
        assert_eq!(evidence.allowed, None, "no tolerance allows it");
    }

    #[test]
    fn nothing_is_claimed_of_what_is_not_finite_on_both_sides() {
        for (got, want) in [(f64::NAN, f64::NAN), (f64::INFINITY, f64::NAN)] {
            let (message, evidence) = compared(&[got, 1.0], &[want, 1.0]);
            let is = short(got);
            let start = format!("`output` is {is} at [0] (1 of 2 values is not finite)");
            assert!(message.starts_with(&start), "{message}");
            assert!(!message.contains("expected") && !message.contains("allowed"), "{message}");
            assert_eq!(evidence.expected, None);
        }
        // The array that it is compared with comes from the submission too.
        let (message, _) = compared(&[1.0], &[f64::NAN]);
        assert!(message.contains("another of your results, which is NaN at [0]"), "{message}");
    }

    #[test]
    fn infinity_is_told_as_infinity() {
        let (message, _) = compared(&[f64::NEG_INFINITY], &[0.5]);
        assert!(message.contains("`output` is -inf; expected 0.5. An infinity comes"), "{message}");
    }

    #[test]
    fn an_output_that_is_not_finite_is_told_by_its_place() {
        let case = Case::new(&POOLING, "B=1".to_owned());
        assert!(finite(&case, "output", &array(&[1.0, -0.0])).is_ok());
        let (message, evidence) = told(finite(&case, "output", &array(&[1.0, f64::NAN])));
        assert!(message.starts_with("`output` is NaN at [1] (1 of 2 values"), "{message}");
        assert_eq!((evidence.index, evidence.expected), (Some(vec![1]), None));
    }

    #[test]
    fn what_does_not_respond_is_told_unless_it_is_nan() {
        let case = Case::new(&POOLING, "B=1".to_owned());
        let changed = "Every value was raised";
        let responds = |before: &[f64], after: &[f64]| {
            responds(&case, "output", (&array(before), &array(after)), changed)
        };
        assert!(responds(&[1.0, 2.0], &[1.0, 3.0]).is_ok());
        let (message, _) = told(responds(&[1.0], &[1.0]));
        assert!(message.contains("`output` did not change at all"), "{message}");
        for value in [f64::NAN, f64::INFINITY] {
            let (message, _) = told(responds(&[value, 1.0], &[value, 1.0]));
            assert!(message.contains("should be finite"), "{message}");
            assert!(!message.contains("did not change"), "{message}");
        }
    }
}
