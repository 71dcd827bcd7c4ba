//! Results of earlier runs that a submission's record can be made of.
//!
//! Invariant: a record that is made of earlier results is the record that grading from scratch would give, for code whose
//! answers do not depend on earlier questions. So results are reused only from records in which no check had an influence on
//! another one: where no process was ended, no time used up and no file replaced, see [`is_independent`].

use std::collections::{BTreeMap, BTreeSet};

use softmark_checks::Outcome;
use softmark_checks::outcome::Evidence;
use softmark_exam::Training;
use softmark_untrusted::Untrusted;
use softmark_wire::{Failure, FailureKind, Fault};

use crate::assignment::Assignment;
use crate::model::{CheckRecord, ModelRecord, Record, Status, TrainingRecord};
use crate::pipeline::basis::Basis;
use crate::pipeline::ends::outcome_ends;
use crate::pipeline::survey::Assigned;
use crate::pipeline::training::bands;
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
    /// Results of its checks.
    results: BTreeMap<String, Found>,
    trainings: Vec<TrainingRecord>,
    models: Vec<ModelRecord>,
    notes: Vec<Untrusted>,
    log: Untrusted,
}

/// Result of a check, as far as bands depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    status: Status,
    /// Message of a stub; empty for all other results.
    stub: Untrusted,
}

impl Found {
    fn of(status: Status, message: &Untrusted) -> Self {
        let is_stub = status == Status::NotImplemented;
        Self { status, stub: if is_stub { message.clone() } else { Untrusted::EMPTY } }
    }

    fn of_outcome(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Pass => Self::of(Status::Pass, &Untrusted::EMPTY),
            Outcome::Wrong { .. } => Self::of(Status::Wrong, &Untrusted::EMPTY),
            Outcome::Fault { .. } => Self::of(Status::Fault, &Untrusted::EMPTY),
            Outcome::Blocked { .. } => Self::of(Status::Blocked, &Untrusted::EMPTY),
            Outcome::NotImplemented { message } => {
                Self::of(Status::NotImplemented, &message.as_str().into())
            }
        }
    }
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
            let mut results = BTreeMap::new();
            for check in record.tasks.into_iter().flat_map(|task| task.checks) {
                let id = check.id.as_raw().to_owned();
                results.insert(id.clone(), Found::of(check.status, &check.message));
                let Some(of_check) = keys.get(&id) else { continue };
                let is_right = basis.check(&id) == Some(&of_check.check);
                if is_right && selected.contains(id.as_str()) && !reuse.checks.contains_key(&id) {
                    let mistake_key = of_check.mistake.clone();
                    reuse.checks.insert(id, ReusedCheck { record: check, mistake_key, from });
                }
            }
            reuse.sources.push(Source {
                failed: failed_checks(&keys),
                results,
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

    /// True if the results of all these bands are reused: if they are known, and the checks of the tasks that they depend on
    /// found what they found then. `now` are the outcomes of checks that were run.
    pub(crate) fn has_bands(
        &self,
        bands: &[BandCheck],
        is_asked: &dyn Fn(&str) -> bool,
        now: &BTreeMap<String, Outcome>,
    ) -> bool {
        let Some((source, own_task)) = self.source_of(bands) else { return false };
        let is_asked = |id: &String| task_of(id) != own_task && is_asked(task_of(id));
        let before: BTreeMap<&String, Found> = source
            .results
            .iter()
            .filter(|(id, _)| is_asked(id))
            .map(|(id, found)| (id, found.clone()))
            .collect();
        let reused = self
            .checks
            .iter()
            .map(|(id, it)| (id, Found::of(it.record.status, &it.record.message)));
        let ran = now.iter().map(|(id, outcome)| (id, Found::of_outcome(outcome)));
        let now: BTreeMap<&String, Found> =
            reused.chain(ran).filter(|(id, _)| is_asked(id)).collect();
        bands.iter().all(|band| self.checks.contains_key(&band.id)) && before == now
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
    pub(crate) fn is_complete(&self, assigned: &Assigned, basis: &Basis) -> bool {
        let Assigned { assignment, suite } = assigned;
        let mut checks = assignment.tasks.iter().flat_map(|task| &task.checks);
        let none = BTreeMap::new();
        let has = |task: &str, is_asked: &dyn Fn(&str) -> bool| {
            let bands = bands(assignment, task);
            bands.is_empty() || self.has_bands(&bands, is_asked, &none)
        };
        let are_named =
            |(task, failed): (&&str, &Vec<&str>)| self.mistakes(task, failed, basis).is_some();
        checks.all(|check| self.checks.contains_key(&check.id))
            && suite.trainings.iter().all(|it| has(it.task, &|task| is_trained(it, task)))
            && suite.uploads.iter().all(|it| has(it.task, &|_| true))
            && self.failed_now().iter().all(are_named)
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

/// True if a training is of a component of the task, or of one that stands on it.
pub(crate) fn is_trained(training: &Training, task: &str) -> bool {
    training.parts.contains(&task) || training.below.contains(&task)
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

#[cfg(test)]
mod tests {
    use softmark_exam::{Sources, Suite};
    use softmark_sandbox::Limits;

    use super::*;
    use crate::assignment::{Band, CheckEntry, Deadline, TaskEntry};
    use crate::model::test_checks::check;
    use crate::model::{Points, RecordOutcome, TaskRecord, Visibility};
    use crate::pipeline::basis::RunBasis;
    use crate::suite::BUILT_IN;

    /// Two checks of one task, one of another, and two bands of a training.
    const IDS: [&str; 5] = [
        "scaled-dot-product/shapes",
        "scaled-dot-product/mask-hides",
        "multi-head/shapes",
        "training/accuracy-60",
        "training/accuracy-80",
    ];

    fn assignment() -> Assignment {
        let entry = |id: &&str| CheckEntry {
            id: (*id).to_owned(),
            points: Points::from_hundredths(100),
            visibility: Visibility::Hidden,
            band: Band::parse(0.6).filter(|_| id.starts_with("training")),
        };
        let task = |name: &str| TaskEntry {
            id: name.to_owned(),
            title: String::new(),
            points: Points::ZERO,
            checks: IDS.iter().filter(|id| task_of(id) == name).map(entry).collect(),
        };
        Assignment {
            id: "attention".to_owned(),
            title: String::new(),
            points: Points::ZERO,
            tasks: ["scaled-dot-product", "multi-head", "training"].map(task).to_vec(),
            collect: Vec::new(),
            provided: BTreeMap::new(),
            skeleton: BTreeMap::new(),
            answers: Vec::new(),
            written: Vec::new(),
            uploads: Vec::new(),
            data: Vec::new(),
            worker: Limits::generous(),
            training: None,
            deadline: Deadline::generous(),
            sha256: "assignment".to_owned(),
        }
    }

    /// The basis of the assignment, if these parts of the exam are other than they are.
    fn basis(changed: &[&str]) -> Basis {
        basis_and_assigned(changed).0
    }

    fn basis_and_assigned(changed: &[&str]) -> (Basis, Assigned) {
        let is = |name: &str| changed.contains(&name);
        let digest = |id: &str| if is(id) { "changed" } else { "digest" };
        let all = (BUILT_IN.find("attention").unwrap().checks)();
        let checks: Vec<(&str, &str)> =
            all.iter().map(|it| (it.check.id, digest(it.check.id))).collect();
        let sources = Sources {
            checks: Vec::leak(checks),
            diagnosis: Some(digest("diagnosis")),
            training: Some(digest("training")),
            whole: None,
        };
        let suite = Suite { sources, ..*BUILT_IN.find("attention").unwrap() };
        let suite: &'static Suite = Box::leak(Box::new(suite));
        let run = if is("run") { "another run" } else { "run" };
        let run = RunBasis { run, program: "program", only: None };
        let assigned = Assigned { assignment: assignment(), suite };
        (Basis::of(run, &assigned), assigned)
    }

    /// A record in which the checks of the first task failed by a mistake, with its keys.
    fn keyed(basis: &Basis, ids: &[&str]) -> KeyedRecord {
        let check = |id: &&str| {
            let is_wrong = id.starts_with("scaled");
            let status = if is_wrong { Status::Wrong } else { Status::Pass };
            let mistake = is_wrong.then(|| "missing-scale".into());
            CheckRecord { mistake, ..check(id, status, Points::ZERO) }
        };
        let task = TaskRecord {
            id: "all".into(),
            title: "".into(),
            points: Points::ZERO,
            max_points: Points::ZERO,
            checks: ids.iter().map(check).collect(),
        };
        let record = Record {
            submission: "amara".into(),
            entry: "".into(),
            submitted: None,
            sha256: "files".into(),
            assignment: "attention".into(),
            outcome: RecordOutcome::Graded,
            reason: None,
            points: Points::ZERO,
            max_points: Points::ZERO,
            tasks: vec![task],
            written: Vec::new(),
            models: Vec::new(),
            trainings: Vec::new(),
            notes: Vec::new(),
            log: "".into(),
            usage: None,
        };
        let failed = ids.iter().filter(|id| id.starts_with("scaled")).map(|id| (*id).to_owned());
        let keys = keys_of(basis, &record, &failed.collect(), true);
        KeyedRecord { record, checks: keys.checks }
    }

    fn missing(reuse: &Reuse) -> Vec<&'static str> {
        IDS.into_iter().filter(|id| reuse.check(id).is_none()).collect()
    }

    #[test]
    fn a_result_is_reused_as_long_as_nothing_that_it_depends_on_has_changed() {
        let (before, assignment) = (basis(&[]), assignment());
        let left = |changed: &[&str]| {
            let (now, assigned) = basis_and_assigned(changed);
            let reuse = Reuse::of(vec![keyed(&before, &IDS)], &assignment, &now, None);
            (missing(&reuse), reuse.is_complete(&assigned, &now))
        };
        assert_eq!(left(&[]), (vec![], true));
        assert_eq!(left(&["multi-head/shapes"]), (IDS[2..3].to_vec(), false));
        let unlisted = left(&["classifier/shapes"]);
        assert_eq!(unlisted, (IDS[3..].to_vec(), false), "it is asked for the bands alone");
        assert_eq!(left(&["training"]), (IDS[3..].to_vec(), false));
        assert_eq!(left(&["diagnosis"]), (vec![], false), "mistakes have to be named again");
        assert_eq!(left(&["run"]), (IDS.to_vec(), false));
    }

    #[test]
    fn results_come_from_the_newest_record_that_has_them() {
        let (old, assignment) = (basis(&["multi-head/shapes"]), assignment());
        let (now, assigned) = basis_and_assigned(&[]);
        // The last run had a selection of checks, and was of another program.
        let records = vec![keyed(&old, &IDS[..3]), keyed(&now, &IDS)];
        let reuse = Reuse::of(records, &assignment, &now, None);
        assert!(missing(&reuse).is_empty() && reuse.is_complete(&assigned, &now));
        let from: Vec<usize> = IDS.iter().map(|id| reuse.check(id).unwrap().from).collect();
        assert_eq!(from, [0, 0, 1, 1, 1]);
    }

    #[test]
    fn mistakes_are_named_together() {
        let (now, assignment) = (basis(&[]), assignment());
        let failed = &IDS[..2];
        let forced = BTreeSet::from([IDS[1].to_owned()]);
        let reuse = Reuse::of(vec![keyed(&now, &IDS)], &assignment, &now, None);
        let named = reuse.mistakes("scaled-dot-product", failed, &now).unwrap();
        assert_eq!(named.len(), 2);
        // Another set of failed checks, or one that is run again.
        assert_eq!(reuse.mistakes("scaled-dot-product", &failed[..1], &now), None);
        let reuse = Reuse::of(vec![keyed(&now, &IDS)], &assignment, &now, Some(&forced));
        assert_eq!(missing(&reuse), [IDS[1]]);
        assert_eq!(reuse.mistakes("scaled-dot-product", failed, &now), None);
    }

    #[test]
    fn one_training_decides_all_bands() {
        let (now, assignment) = (basis(&[]), assignment());
        let forced = BTreeSet::from([IDS[4].to_owned()]);
        let reuse = Reuse::of(vec![keyed(&now, &IDS)], &assignment, &now, Some(&forced));
        assert_eq!(missing(&reuse), IDS[3..]);
    }

    #[test]
    fn bands_are_reused_as_long_as_checks_find_what_they_found() {
        let (now, assignment) = (basis(&[]), assignment());
        let forced = BTreeSet::from([IDS[2].to_owned()]);
        let reuse = Reuse::of(vec![keyed(&now, &IDS)], &assignment, &now, Some(&forced));
        let bands = bands(&assignment, "training");
        let has = |outcome: Option<Outcome>| {
            let ran = outcome.map(|outcome| (IDS[2].to_owned(), outcome)).into_iter().collect();
            reuse.has_bands(&bands, &|task| task == "multi-head", &ran)
        };
        assert!(has(Some(Outcome::Pass)));
        let message = String::new;
        assert!(!has(Some(Outcome::NotImplemented { message: message() })));
        assert!(!has(Some(Outcome::Wrong { message: message(), evidence: Evidence::default() })));
        assert!(!has(None), "it was not run");
    }

    #[test]
    fn a_record_of_entangled_checks_has_one_key() {
        let basis = basis(&[]);
        let record = keyed(&basis, &IDS).record;
        let keys = keys_of(&basis, &record, &BTreeSet::new(), false);
        assert!(keys.checks.is_empty() && keys.record == basis.record("files"));
    }
}
