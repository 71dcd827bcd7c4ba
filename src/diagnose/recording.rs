//! Recorded answers: records those of a mutant, and tells whether a file of them is up to date.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use softmark_checks::CheckError;
use softmark_checks::response::{same, with_masked_scores};
use softmark_exam::{RecordedAnswers, Suite};
use softmark_wire::Session;

use crate::diagnose::ask::{beside_truth, responses};
use crate::diagnose::battery_digest::digest;
use crate::diagnose::known::Known;

/// Records the answers of `session` to the diagnostic cases of `task` that differ from the reference's.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn record(
    suite: &Suite,
    task: &str,
    session: &mut dyn Session,
) -> Result<RecordedAnswers, CheckError> {
    let known = Known::of(suite, task);
    let asked = beside_truth(suite, &known, responses(&known, session)?);
    let each = asked.into_iter().enumerate();
    let answers = each.filter(|(_, it)| !it.is_right()).map(|(at, it)| (at, it.came.response));
    Ok(RecordedAnswers { battery: digest(&known.questions), answers: answers.collect() })
}

/// State of a file of recorded answers, compared with the answers that the mutant gives now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordingState {
    /// The mutant gives the same answers, up to rounding.
    Current,
    /// The file cannot be read, for this reason.
    Invalid(String),
    /// The diagnostic cases have changed since, so that the file names no mistake.
    Stale,
    /// The mutant answers the diagnostic cases with these indices differently.
    Outdated(Vec<usize>),
}

impl RecordingState {
    /// Compares the text of a file with the answers `now`.
    pub fn of(text: &str, now: &RecordedAnswers) -> Self {
        let stored = match RecordedAnswers::parse(text) {
            Ok(stored) => stored,
            Err(problem) => return Self::Invalid(problem),
        };
        if stored.battery != now.battery {
            return Self::Stale;
        }
        let indices: BTreeSet<usize> =
            stored.answers.keys().chain(now.answers.keys()).copied().collect();
        let is_same = |at: &usize| match (now.answers.get(at), stored.answers.get(at)) {
            (Some(now), Some(stored)) => same(now, &with_masked_scores(stored.clone())),
            (now, stored) => now.is_none() && stored.is_none(),
        };
        let changed: Vec<usize> = indices.into_iter().filter(|at| !is_same(at)).collect();
        if changed.is_empty() { Self::Current } else { Self::Outdated(changed) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use softmark_checks::Array;
    use softmark_exam::Response;

    use super::*;

    fn recorded(battery: &str, answers: &[(usize, Response)]) -> RecordedAnswers {
        let answers: BTreeMap<usize, Response> = answers.iter().cloned().collect();
        RecordedAnswers { battery: battery.to_owned(), answers }
    }

    fn number(x: f64) -> Response {
        Response::output(Array::full(&[1], x))
    }

    #[test]
    fn file_is_current_if_answers_differ_by_rounding_alone() {
        let stored = recorded("b", &[(1, number(0.5)), (4, number(-1e9)), (5, Response::Refused)]);
        let state = |answers: &[(usize, Response)]| {
            RecordingState::of(&stored.to_text(), &recorded("b", answers))
        };
        let refused = (5, Response::Refused);
        let scores = [(1, number(0.500_001)), (4, number(f64::NEG_INFINITY)), refused.clone()];
        assert_eq!(state(&scores), RecordingState::Current);
        let others = [(1, number(0.6)), (2, number(0.5)), refused];
        assert_eq!(state(&others), RecordingState::Outdated(vec![1, 2, 4]));
    }

    #[test]
    fn answers_to_other_cases_are_stale_and_other_text_is_invalid() {
        let now = recorded("b", &[(1, number(0.5))]);
        let stale = recorded("a", &[(1, number(0.5))]).to_text();
        assert_eq!(RecordingState::of(&stale, &now), RecordingState::Stale);
        assert!(matches!(RecordingState::of("{}", &now), RecordingState::Invalid(_)));
    }
}
