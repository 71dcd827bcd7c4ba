//! Holds what a part answers against what an oracle in `f64` says.

use std::collections::BTreeMap;

use softmark_checks::check::{Judged, Stop, wrong};
use softmark_checks::subject::compare;
use softmark_checks::{Array, Case, Subject, margin};
use softmark_kit::compare::{Tolerance, first_difference};

/// The right outputs of a case, by name.
pub type Expected = BTreeMap<&'static str, Array>;

/// What is right for a case, computed in `f64` without any of the student's or candle's code.
pub type Oracle = fn(&Case) -> Expected;

/// Holds every output of the part on `case` against the oracle's.
///
/// # Errors
///
/// The verdict, where one differs.
pub fn matches_oracle(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    tolerance: Tolerance,
    (claim, look): (&str, &str),
) -> Judged {
    let answer = subject.forward(case)?;
    for (name, want) in oracle(case) {
        let got = answer.get(case, name, want.shape())?;
        if got.values().iter().any(|x| !x.is_finite()) {
            let what = if got.values().iter().any(|x| x.is_nan()) { "NaN" } else { "infinite" };
            let message = format!(
                "{claim}. But `{name}` holds a number that is {what}, where every right number is \
                 finite. {look}"
            );
            return Err(wrong(case, message));
        }
        compare(case, name, (&got, &want), tolerance, (claim, look))?;
    }
    Ok(())
}

/// Whether every output of the part on `case` is the oracle's: what decides how much more can be
/// asked of it.
///
/// # Errors
///
/// The verdict, where no answer comes.
pub fn is_right(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    tolerance: Tolerance,
) -> Result<bool, Stop> {
    let answer = subject.forward(case)?;
    Ok(oracle(case).iter().all(|(name, want)| {
        answer.get(case, name, want.shape()).is_ok_and(|got| {
            margin::note((&got, want), tolerance);
            first_difference(got.values(), want.values(), want.shape(), tolerance).is_none()
        })
    }))
}
