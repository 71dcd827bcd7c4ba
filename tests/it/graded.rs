//! The grader, graded: what is wrong falls to the checks that it should, and under its own name;
//! what is right, however it is written, falls to none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use softmark::build::{ProgramSpec, Source};
use softmark::diagnose::{Named, name_mistakes};
use softmark::sandbox::Limits;
use softmark::session::Remote;
use softmark::suite::{self, Program, SUITES, Suite, SuiteCheck};
use softmark_checks::{Outcome, Subject};
use tempfile::TempDir;

use crate::support::pack::{HOME, files, pack, tools};

/// The seed for which `expect.toml` says what falls.
const SEED: u64 = 1;

/// Mutants that are built and asked at the same time.
const THREADS: usize = 2;

const LIMITS: Limits = Limits {
    cpu_seconds: 60,
    wall: Duration::from_mins(2),
    memory_mebibytes: 1024,
    file_mebibytes: 1,
    output_bytes: 64 * 1024,
    flood_bytes: 4 * 1024 * 1024,
    open_files: 64,
    threads: 64,
};

/// What a mutant's folder says of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    mistake: String,
    task: String,
    fails: BTreeSet<String>,
    /// `misses` where training it does not reach the highest band, which `grade calibrate` measures.
    training: Option<String>,
}

/// The programs of one submission, and the sessions with them.
struct Submission {
    suite: &'static Suite,
    sessions: BTreeMap<Program, Remote>,
    /// Where the programs lie.
    _scratch: TempDir,
}

impl Submission {
    fn build(suite: &'static Suite, source: &Source) -> Self {
        let (kinds, specs): (Vec<Program>, Vec<_>) = (suite.programs)().into_iter().unzip();
        let scratch = tempfile::tempdir().unwrap();
        let built = pack().compile(source, &specs, scratch.path()).unwrap();
        let mut programs = built.unwrap_or_else(|fault| panic!("{}", fault.message)).programs;
        let start = |(kind, spec): (Program, ProgramSpec)| {
            let program = programs.remove(&spec.name).unwrap();
            (kind, Remote::new(tools().sandbox, program, LIMITS))
        };
        let sessions = kinds.into_iter().zip(specs).map(start).collect();
        Self { suite, sessions, _scratch: scratch }
    }

    fn session(&mut self, program: Program) -> &mut Remote {
        self.sessions.get_mut(&program).unwrap()
    }

    /// Runs every check of the suite on each of the seeds.
    fn run(&mut self, seeds: &[u64]) -> Vec<(SuiteCheck, u64, Outcome)> {
        let mut outcomes = Vec::new();
        for seed in seeds {
            for check in (self.suite.checks)() {
                let mut subject = Subject::new(self.session(check.program));
                outcomes.push((check, *seed, (check.check.run)(&mut subject, *seed).unwrap()));
            }
        }
        outcomes
    }

    /// The checks that a mutant falls to, and the mistakes that are named.
    ///
    /// One that is blocked does not fall: what it waits for does.
    fn fallen(&mut self, seed: u64) -> (Vec<SuiteCheck>, Named) {
        let falls = |outcome: &Outcome| !matches!(outcome, Outcome::Pass | Outcome::Blocked { .. });
        let outcomes = self.run(&[seed]).into_iter();
        let fallen: Vec<SuiteCheck> =
            outcomes.filter(|(.., it)| falls(it)).map(|(check, ..)| check).collect();
        let mut named = Named::new();
        let mut by_task: BTreeMap<&str, Vec<SuiteCheck>> = BTreeMap::new();
        for check in &fallen {
            by_task.entry(check.check.task()).or_default().push(*check);
        }
        for (task, of_task) in by_task {
            let suite = self.suite;
            let session = self.session((suite.diagnosed_in)(task));
            named.extend(name_mistakes(suite, task, &of_task, session).unwrap());
        }
        (fallen, named)
    }
}

/// The folders of a kind of fixture for an assignment, by name.
fn fixtures(kind: &str, assignment: &str) -> BTreeMap<String, PathBuf> {
    let folders = fs::read_dir(Path::new(HOME).join("fixtures").join(kind).join(assignment));
    let named = folders.unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), path)
    });
    named.collect()
}

/// The solution with the files of a folder in place of its own.
fn changed(assignment: &str, folder: &Path) -> Source {
    let mut source = files(&format!("solutions/{assignment}"));
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_some_and(|extension| extension == "rs") {
            assert!(source.insert(name, fs::read(&path).unwrap()).is_some(), "{}", path.display());
        }
    }
    source
}

fn expectation(folder: &Path) -> Expect {
    let path = folder.join("expect.toml");
    let text = fs::read_to_string(&path).unwrap();
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What `look` finds to say of each folder, a few at a time, in the order of their names.
fn walk(
    folders: &BTreeMap<String, PathBuf>,
    look: impl Fn(&str, &Path) -> String + Sync,
) -> String {
    let waiting = Mutex::new(folders.iter());
    let found = Mutex::new(BTreeMap::new());
    let next = || waiting.lock().unwrap().next();
    let work = || {
        while let Some((name, folder)) = next() {
            let said = look(name, folder);
            found.lock().unwrap().insert(name, said);
        }
    };
    thread::scope(|scope| {
        for number in 0..THREADS {
            let thread = thread::Builder::new().name(format!("walk {number}"));
            thread.spawn_scoped(scope, work).unwrap();
        }
    });
    found.into_inner().unwrap().into_values().collect()
}

/// What is not as `expect.toml` says, as rows of a table.
fn differences(name: &str, expect: &Expect, fallen: &[SuiteCheck], named: &Named) -> String {
    let mut rows = String::new();
    let ids: BTreeSet<String> = fallen.iter().map(|check| check.check.id.to_owned()).collect();
    if ids.is_empty() {
        writeln!(rows, "{name:32} falls to nothing").unwrap();
    }
    for id in expect.fails.difference(&ids) {
        writeln!(rows, "{name:32} {id:42} passes").unwrap();
    }
    for id in ids.difference(&expect.fails) {
        writeln!(rows, "{name:32} {id:42} falls").unwrap();
    }
    for check in fallen.iter().filter(|check| check.check.task() == expect.task) {
        let id = check.check.id;
        let is = named.get(id).copied().unwrap_or("nothing");
        if is != expect.mistake {
            writeln!(rows, "{name:32} {id:42} is named {is}").unwrap();
        }
    }
    rows
}

fn suite(id: &str) -> &'static Suite {
    suite::find(id).unwrap()
}

fn mutants_fall_to_their_checks_and_are_named(suite: &'static Suite) {
    let rows = walk(&fixtures("mutants", suite.id), |name, folder| {
        let (fallen, named) = Submission::build(suite, &changed(suite.id, folder)).fallen(SEED);
        differences(name, &expectation(folder), &fallen, &named)
    });
    assert!(rows.is_empty(), "\n{rows}");
}

#[test]
fn every_mutant_of_attention_falls_to_its_checks_and_is_named() {
    mutants_fall_to_their_checks_and_are_named(suite("attention"));
}

#[test]
fn every_mutant_of_the_encoder_falls_to_its_checks_and_is_named() {
    mutants_fall_to_their_checks_and_are_named(suite("encoder"));
}

/// Seeds on which each alternative is asked everything: twenty with `SOFTMARK_TEST_LONG=1`. The solution
/// is asked on twenty every time (`solutions.rs`).
fn seeds() -> Vec<u64> {
    let long = std::env::var_os("SOFTMARK_TEST_LONG").is_some();
    (0..if long { 20 } else { 6 }).collect()
}

fn alternatives_pass_every_check(suite: &'static Suite) {
    let seeds = seeds();
    let rows = walk(&fixtures("alternatives", suite.id), |name, folder| {
        let mut rows = String::new();
        let source = changed(suite.id, folder);
        for (check, seed, outcome) in Submission::build(suite, &source).run(&seeds) {
            if !outcome.is_pass() {
                let id = check.check.id;
                writeln!(rows, "{name:32} {id:42} on seed {seed}: {outcome:?}").unwrap();
            }
        }
        rows
    });
    assert!(rows.is_empty(), "\n{rows}");
}

#[test]
fn every_alternative_of_attention_passes_every_check_on_many_seeds() {
    alternatives_pass_every_check(suite("attention"));
}

#[test]
fn every_alternative_of_the_encoder_passes_every_check_on_many_seeds() {
    alternatives_pass_every_check(suite("encoder"));
}

#[test]
fn the_skeleton_has_nothing_implemented() {
    for suite in SUITES {
        let skeleton = files(&format!("assignments/{}", suite.id));
        for (check, _, outcome) in Submission::build(suite, &skeleton).run(&[SEED]) {
            let is_stub = matches!(outcome, Outcome::NotImplemented { .. });
            assert!(is_stub, "{}: {outcome:?}", check.check.id);
        }
    }
}

#[test]
fn the_solution_passes_everything() {
    for suite in SUITES {
        let solution = files(&format!("solutions/{}", suite.id));
        for (check, _, outcome) in Submission::build(suite, &solution).run(&[SEED]) {
            assert!(outcome.is_pass(), "{}: {outcome:?}", check.check.id);
        }
    }
}

/// Every check that something should not move, or be refused, has a control: so ones of the right
/// shape pass none, and neither does an error whatever is asked.
#[test]
fn nothing_is_earned_by_code_that_computes_nothing() {
    for suite in SUITES {
        for (name, folder) in fixtures("idle", suite.id) {
            let source = changed(suite.id, &folder);
            for (check, _, outcome) in Submission::build(suite, &source).run(&[SEED, SEED + 1]) {
                assert!(!outcome.is_pass(), "{name} passes {}", check.check.id);
            }
        }
    }
}

#[test]
fn every_check_and_every_mistake_has_a_mutant() {
    let mut missing = String::new();
    for suite in SUITES {
        let mutants = fixtures("mutants", suite.id);
        let expects: Vec<Expect> = mutants.values().map(|at| expectation(at)).collect();
        let bank = (suite.mistakes)();
        let checks = (suite.checks)();
        for id in checks.iter().map(|check| check.check.id) {
            if !expects.iter().any(|expect| expect.fails.contains(id)) {
                writeln!(missing, "no mutant falls to {id}").unwrap();
            }
        }
        for mistake in &bank {
            if !expects.iter().any(|expect| expect.mistake == mistake.id) {
                writeln!(missing, "no mutant makes the mistake {}", mistake.id).unwrap();
            }
        }
        for Expect { mistake, task, fails, training } in &expects {
            if training.as_deref().is_some_and(|word| word != "misses") {
                writeln!(missing, "{mistake}: training is `misses`, or not said").unwrap();
            }
            if !bank.iter().any(|known| known.id == mistake && known.task == task) {
                writeln!(missing, "the bank has no mistake {mistake} in {task}").unwrap();
            }
            for id in fails {
                let known = checks.iter().any(|check| check.check.id == id);
                if !known || !id.starts_with(&format!("{task}/")) {
                    writeln!(missing, "{mistake} is to fall to {id}, which is none of {task}")
                        .unwrap();
                }
            }
        }
    }
    assert!(missing.is_empty(), "\n{missing}");
}
