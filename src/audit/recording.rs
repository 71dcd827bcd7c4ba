//! Recorded answers of mutants: recording them, and whether those in the grader are up to date.

use std::num::NonZeroUsize;

use softmark_checks::CheckError;
use softmark_checks::check::without_defects;
use softmark_exam::{RecordedAnswers, Suite};

use crate::audit::bench::{AuditError, Bench, Event, Member};
use crate::diagnose::{RecordingState, record};
use crate::fixtures::{Expect, Fixture, Role};

/// True if the answers of a mutant are kept in a file: its mistake has such files already, or has no imitation.
///
/// A mutant that makes two mistakes is recorded for neither.
pub fn is_recorded(suite: &Suite, mutant: &Expect) -> bool {
    let Some(id) = &mutant.mistake else { return false };
    let row = (suite.mistakes)().into_iter().find(|it| it.id == id);
    let has_files = row.is_none_or(|it| !it.recordings.is_empty() || it.imitations.is_empty());
    has_files && mutant.also.is_none()
}

impl Bench<'_> {
    /// Records the answers of mutants to the diagnostic cases of their tasks, `jobs` mutants at a time; `tell` receives
    /// the events. Of other fixtures, nothing is recorded.
    ///
    /// # Errors
    ///
    /// When the grader's side fails, or a mutant does not compile.
    pub fn record(
        &self,
        mutants: &[Fixture],
        jobs: NonZeroUsize,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<Option<RecordedAnswers>>, AuditError> {
        let work = |member: Member<'_>, _: &mut dyn FnMut(Event<'_>)| {
            let Role::Mutant(expect) = &member.fixture.role else { return Ok(None) };
            let answers = self.answers(&expect.task, member);
            let name = || member.fixture.name.clone();
            answers.map(Some).map_err(|source| AuditError::Check { name: name(), source })
        };
        self.for_each(mutants, jobs, &work, tell)
    }

    /// Returns the state of the recorded answers of a mutant; `None` if the exam has none of it.
    pub(super) fn recording_state(
        &self,
        mutant: Member<'_>,
        expect: &Expect,
    ) -> Result<Option<RecordingState>, CheckError> {
        let bank = (self.suite.mistakes)();
        let row = bank.iter().find(|it| expect.mistake.as_deref() == Some(it.id));
        let mut recordings = row.into_iter().flat_map(|it| it.recordings);
        let Some(recording) = recordings.find(|it| it.patch == mutant.fixture.name) else {
            return Ok(None);
        };
        let now = self.answers(&expect.task, mutant)?;
        Ok(Some(RecordingState::of(recording.text, &now)))
    }

    /// Asks new processes of a mutant, so that what checks did to others does not matter.
    fn answers(&self, task: &str, mutant: Member<'_>) -> Result<RecordedAnswers, CheckError> {
        let mut sessions = self.sessions(mutant);
        let session = sessions.diagnosed(self.suite, task)?;
        without_defects(task, || record(self.suite, task, session))
    }
}
