//! Bases: what each result of an assignment depends on, apart from the submission's files.
//!
//! | result | its basis |
//! |---|---|
//! | a check | run, rules of the assignment, programs, the code that the check can run, the program that it asks |
//! | the mistakes of a task | run, rules, programs, the code of the diagnosis |
//! | the bands of a training | run, rules, programs, the code of trainings, bands, the checks of the parts that are trained |
//! | the bands of a model that is handed in | the same with the checks of all tasks |
//! | a record | all of these, titles, points, and which checks were selected |
//!
//! The rules of an assignment are what verdicts depend on: files and limits, not points, titles or visibility.

use std::collections::BTreeMap;

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
            of_bands.extend(builder.upload(upload, &checks));
        }
        checks.extend(of_bands);
        let diagnosis =
            digest::of(&["diagnosis", builder.base.as_str(), of_part(suite.sources.diagnosis)]);
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
        let is_asked = |id: &str| {
            let entry = entries.iter().find(|entry| entry.check.id == id);
            entry.is_some_and(|entry| {
                let task = entry.check.task();
                parts.contains(&task) || below.contains(&task)
            })
        };
        let asked = checks.iter().filter(|(id, _)| is_asked(id));
        let asked: Vec<&str> = asked.map(|(_, key)| key.as_str()).collect();
        self.bands("training", (task, &described), &asked)
    }

    fn upload(
        &self,
        upload: &Upload,
        checks: &BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        let Upload { task, file, examples, program, levels, plan: _ } = upload;
        let described = format!("{:?}", (file, examples, program, levels));
        // Which checks are asked depends on the checkpoint.
        let asked: Vec<&str> = checks.values().map(String::as_str).collect();
        self.bands("upload", (task, &described), &asked)
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
        let own = [kind, &self.base, task, described, self.training, &thresholds];
        let key = digest::of(&[&own[..], asked].concat());
        bands.into_iter().map(|band| (band.id, key.clone())).collect()
    }
}
