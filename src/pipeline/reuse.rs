//! Results of earlier runs that a submission's record can be made of.
//!
//! Invariant: a record that is made of earlier results is the record that grading from scratch would give, for code whose
//! answers do not depend on earlier questions. So results are reused only from records in which no check had an influence on
//! another one: where no process was ended, no time used up and no file replaced, see [`is_independent`].

use std::collections::{BTreeMap, BTreeSet};

use softmark_checks::Outcome;
use softmark_checks::outcome::Evidence;
use softmark_untrusted::Untrusted;
use softmark_wire::{Failure, FailureKind, Fault};

use crate::assignment::Assignment;
use crate::model::{CheckRecord, ModelRecord, Record, Status, TrainingRecord};
use crate::pipeline::basis::Basis;
use crate::pipeline::ends::outcome_ends;
use crate::score::BandCheck;
use crate::store::{CheckKeys, KeyedRecord, RecordKeys};

/// Checks that are run again whatever their keys say, by submission.
pub type Forced = BTreeMap<Untrusted, BTreeSet<String>>;

/// Result of a check from an earlier record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReusedCheck {
    pub(crate) record: CheckRecord,
    /// Key of the mistake that was named; `None` if none was looked for.
    mistake_key: Option<String>,
    /// Index of the record that it comes from.
    from: usize,
}

impl ReusedCheck {
    /// True if a known mistake was looked for.
    pub(crate) fn wants_a_reason(&self) -> bool {
        self.mistake_key.is_some()
    }

    /// Returns the outcome, as far as other checks depend on it.
    pub(crate) fn outcome(&self) -> Outcome {
        let message = self.record.message.as_raw().to_owned();
        let evidence = Evidence::default;
        match self.record.status {
            Status::Pass => Outcome::Pass,
            Status::Wrong => Outcome::Wrong { message, evidence: evidence() },
            Status::NotImplemented => Outcome::NotImplemented { message },
            Status::Blocked => Outcome::Blocked { by: String::new(), message },
            Status::Fault => {
                let failure = Failure {
                    kind: FailureKind::Panicked,
                    message: String::new(),
                    place: String::new(),
                };
                Outcome::Fault { fault: Fault::Code(failure), message, evidence: evidence() }
            }
        }
    }
}

/// Earlier results that are still right.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reuse {
    checks: BTreeMap<String, ReusedCheck>,
    sources: Vec<Source>,
}

/// Record that results are taken from, without its checks.
#[derive(Debug, Clone, PartialEq)]
struct Source {
    /// Checks of each task that had a mistake looked for.
    failed: BTreeMap<String, BTreeSet<String>>,
    trainings: Vec<TrainingRecord>,
    models: Vec<ModelRecord>,
    notes: Vec<Untrusted>,
    log: Untrusted,
}

impl Reuse {
    /// Returns the results in `records`, the newest first, that are still right. Those of the checks in `forced` are not.
    pub(crate) fn of(
        records: Vec<KeyedRecord>,
        assignment: &Assignment,
        basis: &Basis,
        forced: Option<&BTreeSet<String>>,
    ) -> Self {
        let is_forced = |id: &str| forced.is_some_and(|forced| forced.contains(id));
        let all = assignment.tasks.iter().flat_map(|task| &task.checks);
        let selected: BTreeSet<&str> =
            all.map(|check| check.id.as_str()).filter(|id| !is_forced(id)).collect();
        let mut reuse = Self::default();
        for (from, KeyedRecord { record, checks: keys }) in records.into_iter().enumerate() {
            for check in record.tasks.into_iter().flat_map(|task| task.checks) {
                let id = check.id.as_raw().to_owned();
                let Some(of_check) = keys.get(&id) else { continue };
                let is_right = basis.check(&id) == Some(&of_check.check);
                if is_right && selected.contains(id.as_str()) && !reuse.checks.contains_key(&id) {
                    let mistake_key = of_check.mistake.clone();
                    reuse.checks.insert(id, ReusedCheck { record: check, mistake_key, from });
                }
            }
            reuse.sources.push(Source {
                failed: failed_checks(&keys),
                trainings: record.trainings,
                models: record.models,
                notes: record.notes,
                log: record.log,
            });
        }
        reuse.keep_whole_trainings(assignment);
        reuse
    }

    /// Drops results of bands if another band of the task has to be decided again: one training decides all of them.
    fn keep_whole_trainings(&mut self, assignment: &Assignment) {
        for task in &assignment.tasks {
            let bands = || task.checks.iter().filter(|check| check.band.is_some());
            let from: BTreeSet<Option<usize>> =
                bands().map(|band| self.checks.get(&band.id).map(|it| it.from)).collect();
            if from.len() > 1 {
                for band in bands() {
                    self.checks.remove(&band.id);
                }
            }
        }
    }

    /// True if there is nothing to reuse.
    pub(crate) fn is_empty(&self) -> bool {
        self.checks.is_empty()
    }

    /// Returns the number of checks whose results are reused.
    pub(crate) fn len(&self) -> usize {
        self.checks.len()
    }

    /// Returns the result of a check.
    pub(crate) fn check(&self, id: &str) -> Option<&ReusedCheck> {
        self.checks.get(id)
    }

    /// Returns the records of all reused checks, by their ids.
    pub(crate) fn records(&self) -> BTreeMap<String, CheckRecord> {
        self.checks.iter().map(|(id, check)| (id.clone(), check.record.clone())).collect()
    }

    /// Returns the outcomes of all reused checks, as far as other checks depend on them.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (String, Outcome)> {
        self.checks.iter().map(|(id, check)| (id.clone(), check.outcome()))
    }

    /// Returns the training behind reused bands, if something was trained.
    pub(crate) fn training(&self, bands: &[BandCheck]) -> Option<&TrainingRecord> {
        let (source, task) = self.source_of(bands)?;
        source.trainings.iter().find(|it| it.task.as_raw() == task)
    }

    /// Returns the model behind reused bands.
    pub(crate) fn model(&self, bands: &[BandCheck]) -> Option<&ModelRecord> {
        let (source, task) = self.source_of(bands)?;
        source.models.iter().find(|it| it.task.as_raw() == task)
    }

    /// Returns the record that reused bands come from, and their task.
    fn source_of<'b>(&self, bands: &'b [BandCheck]) -> Option<(&Source, &'b str)> {
        let band = bands.first()?;
        let source = self.sources.get(self.checks.get(&band.id)?.from)?;
        Some((source, task_of(&band.id)))
    }

    /// Returns the output of the code: that of the newest record.
    pub(crate) fn log(&self) -> Untrusted {
        self.sources.first().map(|source| source.log.clone()).unwrap_or_default()
    }

    /// Returns the notes of the newest record.
    pub(crate) fn notes(&self) -> Vec<Untrusted> {
        self.sources.first().map(|source| source.notes.clone()).unwrap_or_default()
    }

    /// Returns the mistakes that were named for the `failed` checks of a task; `None` if they have to be named again.
    pub(crate) fn mistakes(
        &self,
        task: &str,
        failed: &[&str],
        basis: &Basis,
    ) -> Option<BTreeMap<String, String>> {
        let reused: Vec<&ReusedCheck> =
            failed.iter().map(|id| self.checks.get(*id)).collect::<Option<_>>()?;
        let from = reused.first()?.from;
        let is_right = |check: &&ReusedCheck| {
            check.from == from && check.mistake_key.as_deref() == Some(basis.diagnosis())
        };
        let before = self.sources.get(from)?.failed.get(task)?;
        let is_same = before.iter().map(String::as_str).eq(sorted(failed));
        (is_same && reused.iter().all(is_right)).then(|| {
            let named = reused.into_iter().filter_map(|check| {
                let mistake = check.record.mistake.as_ref()?.as_raw().to_owned();
                Some((check.record.id.as_raw().to_owned(), mistake))
            });
            named.collect()
        })
    }

    /// True if no code of the submission has to run: all checks of the assignment have results and mistakes.
    pub(crate) fn is_complete(&self, assignment: &Assignment, basis: &Basis) -> bool {
        let mut checks = assignment.tasks.iter().flat_map(|task| &task.checks);
        checks.all(|check| self.checks.contains_key(&check.id))
            && self
                .failed_now()
                .iter()
                .all(|(task, failed)| self.mistakes(task, failed, basis).is_some())
    }

    /// Returns the reused checks that had a mistake looked for, by task.
    fn failed_now(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut failed: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (id, _) in self.checks.iter().filter(|(_, check)| check.wants_a_reason()) {
            failed.entry(task_of(id)).or_default().push(id);
        }
        failed
    }

    /// Returns all mistakes of a complete record.
    pub(crate) fn all_mistakes(&self, basis: &Basis) -> BTreeMap<String, String> {
        let failed = self.failed_now();
        let named = failed.iter().filter_map(|(task, failed)| self.mistakes(task, failed, basis));
        named.flatten().collect()
    }

    /// Returns the ids of the reused checks that had a mistake looked for.
    pub(crate) fn all_failed(&self) -> BTreeSet<String> {
        self.failed_now().into_values().flatten().map(str::to_owned).collect()
    }
}

/// Returns the task of a check.
fn task_of(id: &str) -> &str {
    id.split_once('/').map_or(id, |(task, _)| task)
}

fn sorted<'a>(ids: &[&'a str]) -> impl Iterator<Item = &'a str> {
    ids.iter().copied().collect::<BTreeSet<&str>>().into_iter()
}

fn failed_checks(keys: &BTreeMap<String, CheckKeys>) -> BTreeMap<String, BTreeSet<String>> {
    let mut failed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (id, _) in keys.iter().filter(|(_, keys)| keys.mistake.is_some()) {
        failed.entry(task_of(id).to_owned()).or_default().insert(id.clone());
    }
    failed
}

/// True if a check with this outcome has no influence on others: its process was not ended, and nothing kept it from running.
pub(crate) fn is_independent(outcome: &Outcome) -> bool {
    let is_garbled = matches!(outcome, Outcome::Fault { fault: Fault::Garbled(_), .. });
    !outcome_ends(outcome) && !is_garbled
}

/// Returns the keys of a record; without keys of checks if some of them had an influence on others.
pub(crate) fn keys_of(
    basis: &Basis,
    record: &Record,
    failed: &BTreeSet<String>,
    is_independent: bool,
) -> RecordKeys {
    let key = basis.record(record.sha256.as_raw());
    let mut keys = RecordKeys::whole(&key);
    if !is_independent {
        return keys;
    }
    for check in record.tasks.iter().flat_map(|task| &task.checks) {
        let id = check.id.as_raw();
        let Some(key) = basis.check(id) else { continue };
        let mistake = failed.contains(id).then(|| basis.diagnosis().to_owned());
        keys.checks.insert(id.to_owned(), CheckKeys { check: key.to_owned(), mistake });
    }
    keys
}
