//! Reads histories and results from a ledger.

use softmark_untrusted::Untrusted;

use super::bases::Bases;
use super::log::{History, Sources};
use super::results::Results;
use crate::marks::{Marks, MarksError};
use crate::overrides::Overrides;
use crate::store::{RunId, SavedRun, Store, StoreError};

/// Ledger with its runs, which are read once for all questions about it.
#[derive(Debug, Clone, Copy)]
pub struct LedgerReader<'a> {
    /// Ledger.
    pub store: &'a Store,
    /// All runs of the ledger, the oldest first.
    pub runs: &'a [SavedRun],
}

impl LedgerReader<'_> {
    /// Reads the history of a submission; `None` if it was never graded.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn history(
        &self,
        submission: &Untrusted,
        marks: &Marks,
        bases: &Bases,
    ) -> Result<Option<History>, MarksError> {
        let store = self.store;
        let gradings = store.gradings_of(submission.as_raw())?;
        if gradings.is_empty() {
            return Ok(None);
        }
        let gradings = Results::graded(0, gradings, self.runs);
        let started_at = gradings.iter().map(|graded| self.started_at(graded.grading.run));
        let started_at = started_at.collect();
        let (mut overrides, mut appeals) = (store.overrides()?, store.appeals()?);
        overrides.retain(|placed| placed.decision.submission == *submission);
        appeals.retain(|placed| placed.decision.submission == *submission);
        let markings = marks.events(submission, store)?;
        let sources = Sources { gradings, started_at, overrides, appeals, markings };
        Ok(Some(History::new(submission.clone(), sources, bases)))
    }

    /// Reads the results as they were after a run; `ledger` is the number of the ledger in a comparison.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn results_after(
        &self,
        (ledger, run): (usize, RunId),
        name: String,
    ) -> Result<Results, StoreError> {
        let gradings = Results::graded(ledger, self.store.results_after(run)?, self.runs);
        Ok(Results { name, gradings, overrides: Overrides::of(self.store)? })
    }

    fn started_at(&self, run: RunId) -> Untrusted {
        let run = self.runs.iter().find(|it| it.id == run);
        run.map(|run| run.started_at.clone()).unwrap_or_default()
    }
}
