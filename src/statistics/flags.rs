//! Rules for flagging checks, and the reasons in words.

use super::checks::CheckStatistics;
use super::figures::{all_pass_bound, holm};
use super::flag::Flag;

/// Least number of submissions for a flag. With 20 of 20, at least 86 % of such students would get the same result.
pub const MIN_CLASS: usize = 20;

/// Least number of submissions that pass, and that fail, for a test of the correlation.
pub const MIN_GROUP: usize = 5;

/// Returns the flag with its reason, for a person.
pub(crate) fn words(flag: Flag, check: &CheckStatistics) -> String {
    let n = check.results.n();
    let bound = all_pass_bound(n) * 100.0;
    match flag {
        Flag::EverybodyPasses => {
            format!("everybody passes ({n} of {n}; at least {bound:.0} % of such students would)")
        }
        Flag::NobodyPasses => format!(
            "nobody passes (0 of {n}; at least {bound:.0} % of such students would fail): is it right, \
             and was it taught?"
        ),
        Flag::BetterStudentsFail => format!(
            "better students fail it more often: correlation {:+.2}, p {} by chance; look at the \
             check, and at what good solutions do",
            check.discrimination.unwrap_or_default(),
            probability(check.p_negative.unwrap_or_default())
        ),
    }
}

/// Returns a probability for a person.
fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("= {p:.4}") }
}

/// Flags the checks of an assignment.
pub(super) fn flag(checks: &mut [CheckStatistics]) {
    let tested: Vec<usize> = (0..checks.len()).filter(|at| is_tested(checks.get(*at))).collect();
    let of = |at: &usize| checks.get(*at).and_then(|check| check.p_negative).unwrap_or(1.0);
    let rejected = holm(&tested.iter().map(of).collect::<Vec<f64>>());
    for (at, is_rejected) in tested.into_iter().zip(rejected) {
        if let Some(check) = checks.get_mut(at).filter(|_| is_rejected) {
            check.flags.push(Flag::BetterStudentsFail);
        }
    }
    for check in checks.iter_mut().filter(|check| check.results.n() >= MIN_CLASS) {
        if check.results.failed() == 0 {
            check.flags.push(Flag::EverybodyPasses);
        }
        if check.results.pass == 0 {
            check.flags.push(Flag::NobodyPasses);
        }
    }
}

/// Returns true if the correlation of a check is tested.
fn is_tested(check: Option<&CheckStatistics>) -> bool {
    check.is_some_and(|check| {
        let results = &check.results;
        let are_enough = results.pass >= MIN_GROUP && results.failed() >= MIN_GROUP;
        check.p_negative.is_some() && are_enough && results.n() >= MIN_CLASS
    })
}
