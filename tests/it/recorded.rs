//! Recorded answers: mutants of a task are named by them as by imitations, and the command that records them.

use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::OnceLock;

use softmark::audit::{Findings, Problem, Scope};
use softmark::fixtures::{self, Fixture, Role};
use softmark_exam::{Mistake, RecordedAnswers, Recording, Suite};

use crate::support::bench::{at_bench, audited};
use crate::support::exams::{project, suite};
use crate::support::grade::{Desk, HOME, copy};

const ASSIGNMENT: &str = "attention";

/// Task whose mistakes are recorded here; in its exam they have imitations.
const TASK: &str = "learned-position";

/// Returns the mutants of the task that make a mistake of the catalogue.
fn mutants() -> Vec<Fixture> {
    let mut all = fixtures::mutants(project(), ASSIGNMENT).unwrap();
    all.retain(|mutant| match &mutant.role {
        Role::Mutant(expect) => expect.task == TASK && expect.mistake.is_some(),
        Role::Solution | Role::Variant | Role::Idle => false,
    });
    all
}

/// Returns the catalogue with recordings instead of the task's imitations.
fn recorded(mutants: &[Fixture], answers: &[RecordedAnswers]) -> Vec<Mistake> {
    let recordings = |id: &str| -> Vec<Recording> {
        let of_mistake = mutants.iter().zip(answers).filter(|(mutant, _)| {
            matches!(&mutant.role, Role::Mutant(expect) if expect.mistake.as_deref() == Some(id))
        });
        let recording = |(mutant, answers): (&Fixture, &RecordedAnswers)| Recording {
            patch: mutant.name.clone().leak(),
            text: answers.to_text().leak(),
        };
        of_mistake.map(recording).collect()
    };
    let row = |row: Mistake| match row.task {
        TASK => {
            Mistake { imitations: &[], cuts: &[], recordings: recordings(row.id).leak(), ..row }
        }
        _ => row,
    };
    (suite(ASSIGNMENT).mistakes)().into_iter().map(row).collect()
}

/// Catalogues of the two suites below, whose functions capture nothing.
static CURRENT: OnceLock<Vec<Mistake>> = OnceLock::new();
static STALE: OnceLock<Vec<Mistake>> = OnceLock::new();

fn audit(mutants: &[Fixture], mistakes: fn() -> Vec<Mistake>) -> Findings {
    audited(&Suite { mistakes, ..*suite(ASSIGNMENT) }, mutants, (Scope::Part, &[1]))
}

#[test]
fn mutants_are_named_by_their_recorded_answers_unless_these_are_stale() {
    let mutants = mutants();
    let jobs = NonZeroUsize::new(2).unwrap();
    let record = |bench: softmark::audit::Bench<'_>| bench.record(&mutants, jobs, &mut |_| ());
    let answers = at_bench(suite(ASSIGNMENT), record).unwrap();
    let mut answers: Vec<RecordedAnswers> = answers.into_iter().flatten().collect();
    assert_eq!(answers.len(), mutants.len());
    CURRENT.set(recorded(&mutants, &answers)).unwrap();
    let findings = audit(&mutants, || CURRENT.get().unwrap().clone());
    assert_eq!(findings.problems, []);

    for recorded in &mut answers {
        recorded.battery.push('0');
    }
    STALE.set(recorded(&mutants, &answers)).unwrap();
    let problems = audit(&mutants[..1], || STALE.get().unwrap().clone()).problems;
    let [Problem::Recording { .. }, Problem::Unnamed { .. }] = problems.as_slice() else {
        panic!("{problems:?}")
    };
}

/// Returns a folder with a copy of the project's solutions, to which a mistake is added that no exam knows.
fn project_with_new_mistake() -> Desk {
    let desk = Desk::new();
    let home = desk.path("home");
    fs::create_dir(&home).unwrap();
    for name in
        [".cargo", "Cargo.toml", "Cargo.lock", "assignments", "crates", "labs", "softmark.toml"]
    {
        symlink(Path::new(HOME).join(name), home.join(name)).unwrap();
    }
    copy(&Path::new(HOME).join("solutions"), &home.join("solutions"));
    let mistakes = home.join("solutions/attention/mistakes");
    fs::create_dir(mistakes.join("new")).unwrap();
    let patch = mistakes.join("learned-from-one/learned-from-one.patch");
    fs::copy(patch, mistakes.join("new/new-mutant.patch")).unwrap();
    desk.env("SOFTMARK_HOME", home)
}

#[test]
fn answers_of_a_new_mistake_are_recorded_beside_its_patch() {
    let desk = project_with_new_mistake();
    let record = || desk.grade("audit attention --record").exit(0);
    let path = "solutions/attention/mistakes/new/new-mutant.answers.json";
    let (first, text) = (record(), desk.read(&format!("home/{path}")));
    assert_eq!(first.stdout, "");
    assert!(first.stderr.contains(&format!("written    {path}\n")), "{first}");
    assert!(!RecordedAnswers::parse(&text).unwrap().answers.is_empty());
    let old = "solutions/attention/mistakes/missing-scale/old.answers.json";
    fs::write(desk.path("home").join(old), "{}").unwrap();
    let second = record();
    assert!(second.stderr.contains(&format!("unchanged  {path}\n")), "{second}");
    assert!(second.stderr.contains(&format!("removed    {old}\n")), "{second}");
    assert_eq!(desk.read(&format!("home/{path}")), text);
    assert!(!desk.path("home").join(old).exists());
    let none = desk.grade("audit attention --record --only missing-scale").exit(0);
    assert!(none.stderr.contains("no answers are recorded"), "{none}");
}
