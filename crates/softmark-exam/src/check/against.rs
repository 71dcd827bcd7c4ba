//! Comparison of a component's answer with an oracle in `f64`.

use std::collections::BTreeMap;

use softmark_checks::check::{Judged, Stop, defective};
use softmark_checks::subject::compare;
use softmark_checks::{Array, Case, Subject, margin};
use softmark_common::compare::{Tolerance, first_difference};

use crate::memo::memoized;

/// Expected outputs of a case, by name.
pub type Expected = BTreeMap<&'static str, Array>;

/// Function that computes the expected outputs of a case in `f64`, without any of the student's or
/// candle's code.
pub type Oracle = fn(&Case) -> Expected;

/// Returns the expected answer to a case.
///
/// # Errors
///
/// Fails as a defect of the check if the oracle has no output, or an output that is not finite
/// although everything in the case is.
pub fn expected(case: &Case, oracle: Oracle) -> Result<Expected, Stop> {
    let expected = memoized(&[case, &(oracle as usize)], || oracle(case));
    if expected.is_empty() {
        let what = format!("the oracle has no output (case {})", case.label);
        return Err(defective(case, what));
    }
    for (name, array) in &expected {
        finite(case, (name, array))?;
    }
    Ok(expected)
}

/// Returns the expected value of one output of a case.
///
/// # Errors
///
/// Fails like [`expected`], and as a defect of the check if the oracle has no output of that name.
pub fn expected_output(case: &Case, oracle: Oracle, name: &str) -> Result<Array, Stop> {
    expected(case, oracle)?.remove(name).ok_or_else(|| {
        defective(case, format!("the oracle has no output `{name}` (case {})", case.label))
    })
}

/// Checks that the value that an oracle computes for `name` is finite if everything in the case is.
///
/// # Errors
///
/// Fails as a defect of the check if it is not.
pub(crate) fn finite(case: &Case, (name, array): (&str, &Array)) -> Judged {
    match array.first_not_finite() {
        Some(at) if case.is_finite() => {
            let (is, label) = (array.at(&at), &case.label);
            Err(defective(case, format!("the oracle's `{name}` is {is} at {at:?} (case {label})")))
        }
        Some(_) | None => Ok(()),
    }
}

/// Checks that every output of the component on `case` matches the oracle's.
///
/// # Errors
///
/// Fails with the verdict if an output differs.
pub fn matches_oracle(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    tolerance: Tolerance,
    words: (&str, &str),
) -> Judged {
    matches_oracle_where(subject, case, oracle, tolerance, &|_, output| output.clone(), words)
}

/// Like [`matches_oracle`], for the meaningful values alone: `left` maps an output's name and value to
/// the value to compare.
///
/// # Errors
///
/// Fails with the verdict if such a value differs.
pub fn matches_oracle_where(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    tolerance: Tolerance,
    left: &dyn Fn(&str, &Array) -> Array,
    words: (&str, &str),
) -> Judged {
    let answer = subject.forward(case)?;
    for (name, want) in expected(case, oracle)? {
        let got = answer.get(case, name, want.shape())?;
        compare(case, name, (&left(name, &got), &left(name, &want)), tolerance, words)?;
    }
    Ok(())
}

/// True if every output of the component on `case` matches the oracle's; the result decides which
/// further questions are useful.
///
/// # Errors
///
/// Fails with the verdict if there is no answer.
pub fn is_right(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    tolerance: Tolerance,
) -> Result<bool, Stop> {
    is_right_where(subject, case, oracle, tolerance, &|_, output| output.clone())
}

/// Like [`is_right`], for the meaningful values alone: `left` maps an output's name and value to
/// the value to compare.
///
/// # Errors
///
/// Fails with the verdict if there is no answer.
pub fn is_right_where(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    tolerance: Tolerance,
    left: &dyn Fn(&str, &Array) -> Array,
) -> Result<bool, Stop> {
    let answer = subject.forward(case)?;
    Ok(expected(case, oracle)?.iter().all(|(name, want)| {
        let got = answer.get(case, name, want.shape());
        got.is_ok_and(|got| is_close(&left(name, &got), &left(name, want), tolerance))
    }))
}

fn is_close(got: &Array, want: &Array, tolerance: Tolerance) -> bool {
    margin::note((got, want), tolerance);
    first_difference(got.values(), want.values(), want.shape(), tolerance).is_none()
}
