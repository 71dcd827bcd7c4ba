//! Recorded answers: records those of a mutant, and tells whether a file of them is up to date.

use std::collections::BTreeSet;

use softmark_checks::{Array, CheckError};
use softmark_exam::{Question, RecordedAnswers, Suite};
use softmark_wire::Session;

use crate::diagnose::known::Known;
use crate::diagnose::matching::{same, with_masked_scores};
use crate::diagnose::{beside_truth, hear};
use crate::digest::Digest;

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
    let asked = beside_truth(suite, &known, hear(&known, session)?);
    let each = asked.into_iter().enumerate();
    let answers = each.filter(|(_, it)| !it.is_right()).map(|(at, it)| (at, it.came.response));
    Ok(RecordedAnswers { battery: digest(&known.questions), answers: answers.collect() })
}

/// State of a file of recorded answers, compared with the answers that the mutant gives now.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// Returns the digest of diagnostic cases: of everything that a component is asked, in order. Numbers are rounded to
/// `f32`, in which they are sent.
pub(super) fn digest(questions: &[Question]) -> String {
    let mut digest = Digest::default();
    for question in questions {
        add_question(&mut digest, question);
    }
    digest.finish()
}

fn add_question(digest: &mut Digest, question: &Question) {
    let Question { aspect, case, cotangents, meaningful: _ } = question;
    let cotangents = cotangents.as_deref();
    // The numbers of entries keep lists apart that follow one another.
    let counts = [case.config.len(), case.parameters.len(), case.inputs.len()];
    let counts = format!("{counts:?} {:?}", cotangents.map(<[_]>::len));
    for text in [&format!("{aspect:?}"), case.part(), &counts] {
        digest.add(text.as_bytes());
    }
    for (name, size) in &case.config {
        digest.add(name.as_bytes());
        digest.add(&size.to_le_bytes());
    }
    for (name, array) in &case.parameters {
        digest.add(name.as_bytes());
        add_array(digest, array);
    }
    for input in &case.inputs {
        digest.add(input.name.as_bytes());
        digest.add(format!("{:?} {}", input.kind, input.strided).as_bytes());
        add_array(digest, &input.array);
    }
    for (name, array) in cotangents.into_iter().flatten() {
        digest.add(name.as_bytes());
        add_array(digest, array);
    }
}

fn add_array(digest: &mut Digest, array: &Array) {
    digest.add(format!("{:?}", array.shape()).as_bytes());
    #[expect(clippy::cast_possible_truncation, reason = "components are asked in f32")]
    let bits = array.values().iter().flat_map(|&x| (x as f32).to_bits().to_le_bytes());
    digest.add(&bits.collect::<Vec<u8>>());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use softmark_checks::{Case, InputKind, Signature};
    use softmark_exam::{Aspect, Response};

    use super::*;

    static PART: Signature =
        Signature::new("part", &[&["size", "other"]], &["x", "y"], &["output", "weights"]);

    fn question() -> Question {
        let case = Case::new(&PART, "label".to_owned()).size("size", 2);
        let case = case.parameter("weight", Array::full(&[2], 0.5));
        let case = case.input("x", Array::new(&[2], vec![1.0, 2.0]));
        Question::gradients(case, vec![("output", Array::full(&[2], 0.25))])
    }

    /// Returns the digest of a case after a change.
    fn changed(change: fn(&mut Question)) -> String {
        let mut question = question();
        change(&mut question);
        digest(&[question])
    }

    #[test]
    fn digest_depends_on_everything_that_is_asked() {
        let all = [
            changed(|_| ()),
            changed(|it| it.aspect = Aspect::Plain),
            changed(|it| it.case.config[0].0 = "other"),
            changed(|it| it.case.config[0].1 = 3),
            changed(|it| it.case.parameters[0].0 = "bias".to_owned()),
            changed(|it| it.case.parameters[0].1 = Array::full(&[2], 0.75)),
            changed(|it| it.case.inputs[0].name = "y"),
            changed(|it| it.case.inputs[0].kind = InputKind::Ids),
            changed(|it| it.case.inputs[0].strided = true),
            changed(|it| it.case.inputs[0].array = Array::new(&[2, 1], vec![1.0, 2.0])),
            changed(|it| it.case.inputs[0].array = Array::new(&[2], vec![1.0, -2.0])),
            changed(|it| it.cotangents = None),
            changed(|it| it.cotangents = Some(vec![("weights", Array::full(&[2], 0.25))])),
            changed(|it| it.cotangents = Some(vec![("output", Array::full(&[2], 0.5))])),
            digest(&[]),
            digest(&[question(), question()]),
        ];
        assert_eq!(BTreeSet::from(all.clone()).len(), all.len());
        assert_eq!(changed(|it| it.case.label.clear()), all[0]);
    }

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
