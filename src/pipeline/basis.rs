//! Bases: what each result of an assignment depends on, apart from the submission's files.
//!
//! | result | its basis |
//! |---|---|
//! | a check | run, rules of the assignment, programs, the code that the check can run, the program that it asks |
//! | the mistakes of a task | run, rules, programs, the code of the diagnosis |
//! | the bands of a training, or of a model that is handed in | run, rules, programs, the code of trainings, bands, checks that are asked for them alone |
//! | a record | all of these, titles, points, and which checks were selected |
//!
//! Bands depend on results of checks too: a component that was not written earns none. That is no part of a basis, because other
//! code of a check need not give another result; see [`Reuse`](crate::pipeline::reuse::Reuse).
//!
//! The rules of an assignment are what verdicts depend on: files and limits, not points, titles or visibility.

use std::collections::{BTreeMap, BTreeSet};

use softmark_exam::{Suite, SuiteCheck, Training, Upload};

use crate::assignment::Assignment;
use crate::digest;
use crate::pipeline::survey::Assigned;
use crate::pipeline::training::bands;

/// Keys of the results of one assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Basis {
    /// Key of all records of the assignment.
    record: String,
    /// Keys of the checks, bands among them, by their ids.
    checks: BTreeMap<String, String>,
    /// Key of the named mistakes.
    diagnosis: String,
}

/// Settings of a run that bases are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunBasis<'a> {
    /// Key of the run.
    pub(crate) run: &'a str,
    /// Digest of the grader's program: it stands for code of which no other digest is known.
    pub(crate) program: &'a str,
    /// Glob of the selected checks; `None` for all.
    pub(crate) only: Option<&'a str>,
}

/// True if the digest of the grader's program is needed, because the sources of an exam are not known completely.
pub(crate) fn needs_program(suite: &Suite) -> bool {
    let sources = &suite.sources;
    let is_known = |entry: &SuiteCheck| sources.of_check(entry.check.id).is_some();
    let parts_are_known =
        sources.whole.is_some() || (sources.diagnosis.is_some() && sources.training.is_some());
    !parts_are_known || !(suite.checks)().iter().all(is_known)
}

impl Basis {
    /// Computes the keys of an assignment's results.
    pub(crate) fn of(run: RunBasis<'_>, assigned: &Assigned) -> Self {
        let Assigned { assignment, suite } = assigned;
        let entries = (suite.checks)();
        let of_part = |known: Option<&'static str>| -> &str {
            known.or(suite.sources.whole).unwrap_or(run.program)
        };
        let builder = Builder {
            assignment,
            base: base(run.run, assignment, suite),
            order: entries.iter().map(|entry| entry.check.id).collect::<Vec<_>>().join(" "),
            training: of_part(suite.sources.training),
        };
        let mut checks = BTreeMap::new();
        for entry in &entries {
            let code = suite.sources.of_check(entry.check.id).unwrap_or(run.program);
            checks.insert(entry.check.id.to_owned(), builder.check(entry, code));
        }
        let mut of_bands = BTreeMap::new();
        for training in suite.trainings {
            of_bands.extend(builder.training(training, &entries, &checks));
        }
        for upload in suite.uploads {
            of_bands.extend(builder.upload(upload, &entries, &checks));
        }
        checks.extend(of_bands);
        let diagnosis = of_part(suite.sources.diagnosis);
        let diagnosis = digest::of(&["mistakes", &builder.base, &builder.order, diagnosis]);
        let record = record(run, assignment, &entries, (&checks, &diagnosis));
        Self { record, checks, diagnosis }
    }

    /// Returns the key of a record of these files.
    pub(crate) fn record(&self, sha256: &str) -> String {
        digest::of(&[sha256, &self.record])
    }

    /// Returns the key of a check.
    pub(crate) fn check(&self, id: &str) -> Option<&str> {
        self.checks.get(id).map(String::as_str)
    }

    /// Returns the key of the mistakes that are named.
    pub(crate) fn diagnosis(&self) -> &str {
        &self.diagnosis
    }
}

/// Returns the key of what all results of an assignment depend on.
fn base(run: &str, assignment: &Assignment, suite: &Suite) -> String {
    let Assignment {
        id,
        collect,
        provided,
        skeleton,
        answers,
        uploads,
        worker,
        training,
        deadline,
        title: _,
        points: _,
        tasks: _,
        written: _,
        data: _,
        sha256: _,
    } = assignment;
    let mut digest = digest::Digest::default();
    let limits = format!("{:?}", (collect, answers, uploads, worker, training, deadline));
    let programs = format!("{:?}", ((suite.programs)(), (suite.reference)()));
    for piece in ["base", run, id, &limits, &programs] {
        digest.add(piece.as_bytes());
    }
    for files in [provided, skeleton] {
        digest.add(format!("{} files", files.len()).as_bytes());
        for (name, content) in files {
            digest.add(name.as_bytes());
            digest.add(content);
        }
    }
    digest.finish()
}

/// Returns the key of all records of an assignment.
fn record(
    run: RunBasis<'_>,
    assignment: &Assignment,
    entries: &[SuiteCheck],
    (checks, diagnosis): (&BTreeMap<String, String>, &str),
) -> String {
    let only = run.only.map(|glob| format!("only {glob}")).unwrap_or_default();
    let described = |it: &SuiteCheck| format!("{:?}", (it.check.id, it.check.title, it.aspects));
    let entries: Vec<String> = entries.iter().map(described).collect();
    let checks = format!("{checks:?}");
    let entries = entries.join("\n");
    digest::of(&["record", run.run, &assignment.sha256, &only, &entries, &checks, diagnosis])
}

struct Builder<'a> {
    assignment: &'a Assignment,
    base: String,
    /// Ids of all checks in their order: a mistake is named, and a task called unwritten, by the first one that failed.
    order: String,
    /// Digest of the code of trainings.
    training: &'a str,
}

impl Builder<'_> {
    fn check(&self, entry: &SuiteCheck, code: &str) -> String {
        let program = format!("{:?}", entry.program);
        digest::of(&["check", &self.base, entry.check.id, &program, code])
    }

    fn training(
        &self,
        training: &Training,
        entries: &[SuiteCheck],
        checks: &BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        let Training {
            task,
            examples,
            program,
            with_reference,
            parts,
            below,
            least_learned,
            levels,
            plan: _,
        } = training;
        let described = format!(
            "{:?}",
            (examples, program, with_reference, parts, below, least_learned, levels)
        );
        let is_asked = |entry: &&SuiteCheck| {
            let task = entry.check.task();
            parts.contains(&task) || below.contains(&task)
        };
        let asked = entries.iter().filter(is_asked);
        self.bands("training", (task, &described), &self.unlisted(asked, checks))
    }

    fn upload(
        &self,
        upload: &Upload,
        entries: &[SuiteCheck],
        checks: &BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        let Upload { task, file, examples, program, levels, plan: _ } = upload;
        let described = format!("{:?}", (file, examples, program, levels));
        // Which checks are asked depends on the checkpoint.
        self.bands("upload", (task, &described), &self.unlisted(entries.iter(), checks))
    }

    /// Returns the keys of those checks that are not in the assignment: they are asked for bands alone.
    fn unlisted<'k>(
        &self,
        entries: impl Iterator<Item = &'k SuiteCheck>,
        checks: &'k BTreeMap<String, String>,
    ) -> Vec<&'k str> {
        let listed: BTreeSet<&str> = self
            .assignment
            .tasks
            .iter()
            .flat_map(|task| &task.checks)
            .map(|check| check.id.as_str())
            .collect();
        let entries = entries.filter(|entry| !listed.contains(entry.check.id));
        entries.filter_map(|entry| checks.get(entry.check.id).map(String::as_str)).collect()
    }

    /// Returns the keys of the bands of a task: each is decided by the same trainings.
    fn bands(
        &self,
        kind: &str,
        (task, described): (&str, &str),
        asked: &[&str],
    ) -> BTreeMap<String, String> {
        let bands = bands(self.assignment, task);
        let thresholds: Vec<String> =
            bands.iter().map(|it| format!("{} {}", it.id, it.band)).collect();
        let thresholds = thresholds.join("\n");
        let own = [kind, &self.base, &self.order, task, described, self.training, &thresholds];
        let key = digest::of(&[&own[..], asked].concat());
        bands.into_iter().map(|band| (band.id, key.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::assignment::load;
    use crate::suite::BUILT_IN;

    const RUN: RunBasis<'_> = RunBasis { run: "run", program: "program", only: None };

    fn basis(change: impl FnOnce(&mut Assignment)) -> Basis {
        let mut assignment = load(Path::new(env!("CARGO_MANIFEST_DIR")), "prefix-tuning").unwrap();
        change(&mut assignment);
        let suite = BUILT_IN.find("prefix-tuning").unwrap();
        Basis::of(RUN, &Assigned { assignment, suite })
    }

    #[test]
    fn points_titles_and_visibility_change_no_result() {
        let before = basis(|_| ());
        let after = basis(|it| {
            it.sha256 = "another file".to_owned();
            it.title = "Another title".to_owned();
            for check in it.tasks.iter_mut().flat_map(|task| &mut task.checks) {
                check.points = crate::model::Points::ZERO;
            }
        });
        assert_eq!((&after.checks, &after.diagnosis), (&before.checks, &before.diagnosis));
        assert_ne!(after.record("files"), before.record("files"));
    }

    #[test]
    fn rules_change_every_result() {
        let before = basis(|_| ());
        let changes: [fn(&mut Assignment); 6] = [
            |it| it.worker.cpu_seconds += 1,
            |it| it.deadline.cpu *= 2,
            |it| it.collect.push("more.rs".to_owned()),
            |it| {
                it.provided.insert("lib.rs".to_owned(), Vec::new());
            },
            |it| it.skeleton.clear(),
            |it| it.training.as_mut().unwrap().runs += 1,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let after = basis(change);
            let same = before.checks.iter().filter(|(id, key)| after.check(id) == Some(key));
            assert_eq!(same.count(), 0, "{number}");
            assert_ne!(after.diagnosis, before.diagnosis, "{number}");
        }
    }

    #[test]
    fn another_band_changes_the_bands_of_its_task_alone() {
        let before = basis(|_| ());
        let task = "training";
        let is_band = |entry: &&mut crate::assignment::CheckEntry| {
            entry.band.is_some() && entry.id.starts_with("training/")
        };
        let after = basis(|it| {
            let mut checks = it.tasks.iter_mut().flat_map(|task| &mut task.checks);
            let band = checks.find(is_band).unwrap();
            band.band = crate::assignment::Band::parse(0.1234);
        });
        let changed = before.checks.iter().filter(|(id, key)| after.check(id) != Some(key));
        let changed: Vec<&str> = changed.map(|(id, _)| id.split_once('/').unwrap().0).collect();
        assert!(changed.len() > 1 && changed.iter().all(|it| *it == task), "{changed:?}");
    }

    #[test]
    fn the_order_of_checks_changes_what_is_named_and_the_bands() {
        fn turned() -> Vec<SuiteCheck> {
            let mut checks = (BUILT_IN.find("prefix-tuning").unwrap().checks)();
            checks.reverse();
            checks
        }
        let before = basis(|_| ());
        let suite = Suite { checks: turned, ..*BUILT_IN.find("prefix-tuning").unwrap() };
        let assignment = load(Path::new(env!("CARGO_MANIFEST_DIR")), "prefix-tuning").unwrap();
        let is_band = |id: &str| {
            let mut all = assignment.tasks.iter().flat_map(|task| &task.checks);
            all.any(|check| check.id == id && check.band.is_some())
        };
        let suite: &'static Suite = Box::leak(Box::new(suite));
        let after = Basis::of(RUN, &Assigned { assignment: assignment.clone(), suite });
        assert_ne!(after.diagnosis, before.diagnosis);
        for (id, key) in &before.checks {
            assert_eq!(after.check(id) != Some(key), is_band(id), "{id}");
        }
    }

    #[test]
    fn a_selection_of_checks_makes_another_record_of_the_same_results() {
        let assignment = load(Path::new(env!("CARGO_MANIFEST_DIR")), "modern").unwrap();
        let assigned = Assigned { assignment, suite: BUILT_IN.find("modern").unwrap() };
        let (all, some) =
            (Basis::of(RUN, &assigned), Basis::of(RunBasis { only: Some("*"), ..RUN }, &assigned));
        assert_eq!(all.checks, some.checks);
        assert_ne!(all.record("files"), some.record("files"));
    }

    #[test]
    fn the_sources_of_every_built_in_exam_are_known() {
        for id in ["attention", "encoder", "debugging", "modern", "prefix-tuning"] {
            assert!(!needs_program(BUILT_IN.find(id).unwrap()), "{id}");
        }
    }

    #[test]
    fn the_program_stands_for_sources_that_are_not_known() {
        let suite = BUILT_IN.find("modern").unwrap();
        let unknown = Suite { sources: softmark_exam::Sources::UNKNOWN, ..*suite };
        assert!(needs_program(&unknown));
        let unknown: &'static Suite = Box::leak(Box::new(unknown));
        let of = |program| {
            let assignment = load(Path::new(env!("CARGO_MANIFEST_DIR")), "modern").unwrap();
            Basis::of(RunBasis { program, ..RUN }, &Assigned { assignment, suite: unknown })
        };
        let (before, after) = (of("program"), of("another program"));
        let same = before.checks.iter().filter(|(id, key)| after.check(id) == Some(key));
        assert_eq!(same.count(), 0);
    }
}
