//! Puts the diagnostic cases of a task to a submission.

use softmark_checks::response::Came;
use softmark_checks::{CheckError, Subject};
use softmark_exam::Suite;
use softmark_wire::Session;

use crate::diagnose::answers;
use crate::diagnose::known::Known;
use crate::diagnose::reading::Asked;

/// Asks the submission the diagnostic cases of a task.
pub(super) fn responses(known: &Known, session: &mut dyn Session) -> Result<Vec<Came>, CheckError> {
    let mut subject = Subject::new(session);
    known.questions.iter().map(|it| answers::of_submission(&mut subject, it)).collect()
}

/// Combines each response with the expected one.
pub(super) fn beside_truth<'a>(suite: &Suite, known: &'a Known, came: Vec<Came>) -> Vec<Asked<'a>> {
    let each = known.questions.iter().zip(came).enumerate();
    each.map(|(at, (question, came))| {
        let truth = known.right.answer(at, question, suite.rests.as_slice()).into_owned();
        Asked { question, truth, came }
    })
    .collect()
}
