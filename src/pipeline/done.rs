//! Records of submissions that no code has to run for, and what is kept of any record.

use softmark_untrusted::Untrusted;

use crate::intake::Submission;
use crate::model::{Record, RecordOutcome};
use crate::pipeline::basis::Basis;
use crate::pipeline::draft::{Draft, empty};
use crate::pipeline::replay::Replay;
use crate::pipeline::reuse::{Reuse, keys_of};
use crate::pipeline::survey::{Assigned, Entry, Treatment};
use crate::pipeline::timings::Timings;
use crate::pipeline::training::bands;
use crate::score::Sheet;
use crate::store::RecordKeys;

/// Record and its keys.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) record: Record,
    pub(crate) keys: RecordKeys,
    /// True if no code of the submission was run.
    pub(crate) cached: bool,
    /// Number of checks whose results come from earlier runs.
    pub(crate) reused: usize,
    /// Time that grading took, which is in no record.
    pub(crate) timings: Timings,
}

/// Returns the record of a submission whose grading panicked with `reason`.
pub(crate) fn broken(entry: &Entry, seed: u64, reason: Untrusted) -> Done {
    let Treatment::Assigned(assigned) = &entry.treatment else {
        return unkept(empty(entry, RecordOutcome::NoGrade, reason));
    };
    let assignment = entry.given.as_deref();
    let replay = Replay { path: &entry.candidate.path, assignment, seed };
    // An unmeasured model is on no leaderboard, so no pseudonym is needed.
    let draft = Draft { entry, assigned, replay, pseudonym: "" };
    unkept(draft.no_grade(reason))
}

/// Returns a record that later runs must not reuse.
pub(crate) fn unkept(record: Record) -> Done {
    let keys = RecordKeys::default();
    Done { record, keys, cached: false, reused: 0, timings: Timings::default() }
}

/// Returns a record of an earlier run, which is reused as a whole.
pub(crate) fn reused(record: Record, keys: RecordKeys) -> Done {
    let reused = record.tasks.iter().map(|task| task.checks.len()).sum();
    Done { record, keys, cached: true, reused, timings: Timings::default() }
}

/// Returns the record that earlier results make up completely, with the points and titles of now.
pub(crate) fn reassembled(
    draft: &Draft<'_>,
    (submission, basis): (Submission, &Basis),
    reuse: &Reuse,
) -> Done {
    let mistakes = reuse.all_mistakes(basis);
    let sheet = Sheet { reused: reuse.records(), mistakes, ..draft.sheet("not run") };
    let record = draft.record(RecordOutcome::Graded, &sheet);
    let Assigned { assignment, suite } = draft.assigned;
    let trainings = suite.trainings.iter();
    let trainings = trainings.filter_map(|it| reuse.training(&bands(assignment, it.task)).cloned());
    let models = suite.uploads.iter();
    let models = models.filter_map(|it| reuse.model(&bands(assignment, it.task)).cloned());
    let record = Record {
        trainings: trainings.collect(),
        models: models.collect(),
        log: reuse.log(),
        notes: record.notes.iter().cloned().chain(reuse.notes()).collect(),
        ..record
    };
    let record = draft.named(record, submission);
    let keys = keys_of(basis, &record, &reuse.all_failed(), true);
    Done { record, keys, cached: true, reused: reuse.len(), timings: Timings::default() }
}
