//! Builder of a submission's record.

use std::collections::BTreeMap;

use softmark_untrusted::Untrusted;

use crate::assignment::{Assignment, WrittenEntry};
use crate::build::BuildFault;
use crate::intake::{Candidate, Submission};
use crate::model::{Points, Record, RecordOutcome, WrittenRecord};
use crate::pipeline::broken::broken_file;
use crate::pipeline::replay::Replay;
use crate::pipeline::survey::{Assigned, Entry};
use crate::pipeline::training;
use crate::score::{Sheet, band_title, score};

/// Builder of the record of one submission.
#[derive(Clone, Copy)]
pub(super) struct Draft<'a> {
    pub(super) entry: &'a Entry,
    pub(super) assigned: &'a Assigned,
    pub(super) replay: Replay<'a>,
    /// Pseudonym on the leaderboard.
    pub(super) pseudonym: &'a str,
}

impl Draft<'_> {
    /// Returns a score sheet without outcomes; `not_run` is the reason why no check was run.
    pub(super) fn sheet(&self, not_run: &str) -> Sheet {
        let Assigned { assignment, suite } = self.assigned;
        let titles = (suite.checks)();
        let titles = titles.iter().map(|it| (it.check.id.to_owned(), it.check.title.to_owned()));
        let trained = suite.trainings.iter().map(|training| (training.task, training.examples));
        let measured = suite.uploads.iter().map(|upload| (upload.task, upload.examples));
        let bands = trained.chain(measured).flat_map(|(task, examples)| {
            let bands = training::bands(assignment, task).into_iter();
            bands.map(|it| (it.id, band_title(examples, it.band)))
        });
        Sheet {
            titles: titles.chain(bands).collect(),
            not_run: not_run.to_owned(),
            ..Sheet::default()
        }
    }

    /// Returns the record with the points of a score sheet.
    pub(super) fn record(&self, outcome: RecordOutcome, sheet: &Sheet) -> Record {
        let assignment: &Assignment = &self.assigned.assignment;
        let tasks = score(assignment, sheet, |check| self.replay.command(check));
        Record {
            assignment: assignment.id.as_str().into(),
            points: tasks.iter().map(|task| task.points).sum(),
            max_points: assignment.points,
            tasks,
            ..empty(self.entry, outcome, Untrusted::EMPTY)
        }
    }

    /// Returns the record of a submission that does not compile.
    pub(super) fn unbuilt(&self, fault: BuildFault, submission: Submission) -> Record {
        let record = self.record(RecordOutcome::BuildFailed, &self.sheet("needs build"));
        let (reason, usage) = (Some(fault.message), Some(fault.usage));
        self.named(Record { reason, usage, ..record }, submission)
    }

    /// Returns the record of a submission that has no grade because the grader failed.
    pub(super) fn no_grade(&self, reason: Untrusted) -> Record {
        let sheet = self.sheet("the grader failed");
        Record { reason: Some(reason), ..self.record(RecordOutcome::NoGrade, &sheet) }
    }

    /// Returns an earlier record as the record of this submission: the same files may have had
    /// another name, another location and other files beside them.
    pub(super) fn adopt(&self, mut record: Record, submission: Submission) -> Record {
        for check in record.tasks.iter_mut().flat_map(|task| &mut task.checks) {
            if check.replay.is_some() {
                check.replay = Some(self.replay.command(check.id.as_raw()).into());
            }
        }
        self.named(record, submission)
    }

    /// Returns the record with the properties of this submission alone: its name, its pseudonym and
    /// its notes.
    pub(super) fn named(&self, mut record: Record, submission: Submission) -> Record {
        for model in &mut record.models {
            model.pseudonym = self.pseudonym.into();
        }
        let Submission { name, sha256, files: _, answers, uploads: _, notes } = submission;
        let written = self.written(&answers);
        let Candidate { entry, submitted, notes: told, .. } = &self.entry.candidate;
        // Notes about the folder of the earlier submission do not apply to this one.
        let of_build = record.notes.into_iter().filter(|note| broken_file(note).is_some());
        let notes = told.iter().cloned().chain(of_build).chain(notes).collect();
        let submitted = submitted.clone().map(Untrusted::from);
        let (entry, sha256) = (entry.clone(), sha256.into());
        Record { submission: name, entry, submitted, sha256, written, notes, ..record }
    }

    /// Returns the answers that a person marks.
    fn written(&self, answers: &BTreeMap<String, Vec<u8>>) -> Vec<WrittenRecord> {
        let entries = self.assigned.assignment.written.iter();
        entries.map(|entry| unmarked(entry, answers.get(&entry.file))).collect()
    }
}

/// Returns the answer in a file, to which no mark is given yet; an empty one if there is no file.
fn unmarked(entry: &WrittenEntry, bytes: Option<&Vec<u8>>) -> WrittenRecord {
    WrittenRecord {
        id: entry.id.as_str().into(),
        title: entry.title.as_str().into(),
        points: None,
        max_points: entry.points,
        comment: Untrusted::EMPTY,
        rubric: Vec::new(),
        text: String::from_utf8_lossy(bytes.map_or(&[], Vec::as_slice)).trim().into(),
    }
}

/// Returns a record that holds no more than its outcome.
pub(super) fn empty(entry: &Entry, outcome: RecordOutcome, reason: Untrusted) -> Record {
    Record {
        submission: entry.candidate.name.clone(),
        entry: entry.candidate.entry.clone(),
        submitted: entry.candidate.submitted.clone().map(Untrusted::from),
        sha256: Untrusted::EMPTY,
        assignment: Untrusted::EMPTY,
        outcome,
        reason: Some(reason).filter(|reason| !reason.is_empty()),
        points: Points::ZERO,
        max_points: Points::ZERO,
        tasks: Vec::new(),
        written: Vec::new(),
        models: Vec::new(),
        trainings: Vec::new(),
        notes: entry.candidate.notes.clone(),
        log: Untrusted::EMPTY,
        usage: None,
    }
}
