//! Tests the catalogue of mistakes without student code: each imitation fails a check and is named by its mistake.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use softmark::diagnose::{for_students, name_mistakes};
use softmark::fixtures::{self, Expect, Role};
use softmark_checks::Subject;
use softmark_exam::{
    Cut, Imitate, Mistake, Program, RecordedAnswers, Recording, Suite, SuiteCheck, Visibility,
};
use softmark_wire::{Asked, Construction, Reply, Request, Session, SessionError};

use crate::support::exams::{project, suites};
use crate::support::imitation::ImitationSession;
use crate::support::pack::HOME;

/// Returns the checks of `task` that a session fails.
fn failed_checks(
    suite: &Suite,
    task: &str,
    session: &mut ImitationSession,
    seed: u64,
) -> Vec<SuiteCheck> {
    let mut subject = Subject::new(session);
    let checks = (suite.checks)().into_iter().filter(|check| check.check.task() == task);
    checks.filter(|check| !check.check.ask(&mut subject, seed).unwrap().is_pass()).collect()
}

/// Returns the imitations of a mistake, each with the first cut of the mistake, or with those of a correct
/// component if the mistake has none.
fn variants(suite: &Suite, mistake: &Mistake) -> Vec<(Imitate, Option<Cut>)> {
    let cut = mistake.cuts.first().copied().or(suite.rests);
    mistake.imitations.iter().map(|imitate| (*imitate, cut)).collect()
}

#[test]
fn every_imitation_fails_a_check_and_is_named_by_its_mistake() {
    let mut wrong = String::new();
    for suite in suites() {
        for mistake in (suite.mistakes)() {
            for (at, (imitate, cut)) in variants(suite, &mistake).into_iter().enumerate() {
                let mut session = ImitationSession::new(suite, mistake.task, imitate, cut);
                let failed = failed_checks(suite, mistake.task, &mut session, 1);
                let named = name_mistakes(suite, mistake.task, &failed, &mut session).unwrap();
                if failed.is_empty() {
                    writeln!(wrong, "{} ({at}) passes every check", mistake.id).unwrap();
                }
                let ids = failed.iter().map(|check| check.check.id);
                for id in ids.filter(|id| named.get(id) != Some(&mistake.id)) {
                    let name = named.get(id);
                    writeln!(wrong, "{} ({at}) at {id}: {name:?}", mistake.id).unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Session that keeps what a component is asked to run on.
struct Noting {
    session: ImitationSession,
    asked: BTreeSet<String>,
}

impl Noting {
    /// A right component of a suite.
    fn new(suite: &'static Suite) -> Self {
        let session = ImitationSession::new(suite, "", suite.truth, suite.rests);
        Self { session, asked: BTreeSet::new() }
    }
}

impl Session for Noting {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        self.session.ask(request)
    }

    fn construct_and_ask(&mut self, component: Construction, request: Request) -> Asked<Reply> {
        if let Request::Forward { inputs } | Request::Gradients { inputs, .. } = &request {
            let mut sizes = component.config.clone();
            sizes.sort();
            let question = (&component.part, sizes, &component.parameters, inputs);
            self.asked.insert(format!("{question:?}"));
        }
        self.session.construct_and_ask(component, request)
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.session.renew()
    }
}

/// Hidden checks that share questions with what students get: those that must be refused.
const SHARED: [&str; 2] = ["rotary/refuses", "grouped-query/refuses"];

/// The cases of a release are in no hidden check, but for those whose right answer has no number.
#[test]
fn cases_that_students_get_are_in_no_hidden_check() {
    let mut wrong = String::new();
    for suite in suites() {
        let mut released = Noting::new(suite);
        let cases = for_students(suite);
        for task in (suite.mistakes)().iter().map(|it| it.task).collect::<BTreeSet<_>>() {
            cases.of_task(task).unwrap().recognise(&mut released).unwrap();
        }
        assert!(!released.asked.is_empty());
        let checks = (suite.checks)().into_iter();
        for check in checks.filter(|it| it.visibility == Visibility::Hidden) {
            let mut hidden = Noting::new(suite);
            check.check.ask(&mut Subject::new(&mut hidden), 1).unwrap();
            let both = hidden.asked.intersection(&released.asked).count();
            if (both > 0) != SHARED.contains(&check.check.id) {
                let of = hidden.asked.len();
                writeln!(wrong, "{}: {both} of {of} questions", check.check.id).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A mistake without an imitation or recorded answers is never named.
#[test]
fn every_mistake_has_an_imitation_or_recorded_answers() {
    for mistake in suites().iter().flat_map(|suite| (suite.mistakes)()) {
        let Mistake { id, imitations, recordings, .. } = mistake;
        assert!(!imitations.is_empty() || !recordings.is_empty(), "{id}");
    }
}

/// File of an exam with the checks that each of its mistakes fails.
const FAILED_CHECKS: &str = "exam/src/mistakes/failed_checks.txt";

/// Returns a line for each mistake of an assignment, with the checks that its mutants fail.
fn failed_checks_of(suite: &Suite) -> String {
    let mut fails: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for mutant in fixtures::mutants(project(), suite.id).unwrap() {
        if let Role::Mutant(Expect { mistake: Some(id), also: None, fails: checks, .. }) =
            mutant.role
        {
            fails.entry(id).or_default().extend(checks);
        }
    }
    let line = |(id, checks): (String, BTreeSet<String>)| {
        format!("{id}: {}\n", Vec::from_iter(checks).join(" "))
    };
    fails.into_iter().map(line).collect()
}

/// `SOFTMARK_FAILED_CHECKS=write` writes the tables of the exams that have one.
#[test]
fn the_checks_that_mistakes_fail_are_those_of_their_mutants() {
    for suite in suites() {
        let path = Path::new(HOME).join("solutions").join(suite.id).join(FAILED_CHECKS);
        if !path.exists() {
            let has_pairs = |mistake: &Mistake| !(suite.pairs)(mistake.task).is_empty();
            assert!(
                !(suite.mistakes)().iter().any(has_pairs),
                "{} has no {FAILED_CHECKS}",
                suite.id
            );
            continue;
        }
        let expected = failed_checks_of(suite);
        if std::env::var_os("SOFTMARK_FAILED_CHECKS").is_some() {
            fs::write(&path, &expected).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), expected, "{}", path.display());
    }
}

/// Recorded answers are those of a mutant that makes this mistake and no other.
#[test]
fn recorded_answers_belong_to_a_mutant_of_their_mistake() {
    for suite in suites() {
        let mutants = fixtures::mutants(project(), suite.id).unwrap();
        let borrowed = |task: &str| suite.borrows.iter().any(|it| it.task == task);
        for mistake in (suite.mistakes)().into_iter().filter(|it| !borrowed(it.task)) {
            for Recording { patch, text } in mistake.recordings {
                let mutant = mutants.iter().find(|it| it.name == *patch);
                let Some(Role::Mutant(expect)) = mutant.map(|it| &it.role) else {
                    panic!("{patch} is no mutant")
                };
                assert_eq!(expect.mistake.as_deref(), Some(mistake.id), "{patch}");
                assert_eq!(expect.also, None, "{patch}");
                assert!(!RecordedAnswers::parse(text).unwrap().answers.is_empty(), "{patch}");
            }
        }
    }
}

#[test]
fn the_oracle_passes_every_check() {
    for suite in suites() {
        for check in (suite.checks)() {
            let task = check.check.task();
            // No oracle computes these: their answers are files, or detectors that make experiments.
            if check.program == Program::Answers || task == "detectors" {
                continue;
            }
            for seed in 1..=5 {
                let mut session = ImitationSession::new(suite, task, suite.truth, suite.rests);
                let outcome = check.check.ask(&mut Subject::new(&mut session), seed).unwrap();
                assert!(outcome.is_pass(), "{} on seed {seed}: {outcome:?}", check.check.id);
            }
        }
    }
}

#[test]
fn mistake_ids_are_unique_and_lower_case() {
    for suite in suites() {
        let mut seen = BTreeSet::new();
        for mistake in (suite.mistakes)() {
            assert!(seen.insert(mistake.id), "{} is in the catalogue twice", mistake.id);
            let typed =
                mistake.id.chars().all(|c| c.is_ascii_lowercase() || "0123456789-".contains(c));
            assert!(typed, "{}", mistake.id);
            assert!((suite.checks)().iter().any(|check| check.check.task() == mistake.task));
        }
    }
}

/// The front matter of a page, as TOML.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrontMatter {
    task: String,
    summary: String,
}

/// Every page in `solutions/` belongs to a mistake of the catalogue, and a parser of TOML reads the same from its
/// front matter as the catalogue does.
#[test]
fn every_page_has_a_row_in_the_catalogue() {
    for suite in suites() {
        let folder = Path::new(HOME).join("solutions").join(suite.id).join("mistakes");
        let catalogue = (suite.mistakes)();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let id = path.file_name().unwrap().to_str().unwrap();
            let row = catalogue.iter().find(|mistake| mistake.id == id);
            let row = row.unwrap_or_else(|| panic!("{id} has no row in the catalogue"));
            let page = fs::read_to_string(path.join("page.md")).unwrap();
            let (front_matter, _) =
                page.strip_prefix("+++\n").unwrap().split_once("+++\n").unwrap();
            let expected =
                FrontMatter { task: row.task.to_owned(), summary: row.summary.to_owned() };
            assert_eq!(toml::from_str::<FrontMatter>(front_matter).unwrap(), expected, "{id}");
            assert!(page.ends_with(&format!("+++\n\n{}", row.page)), "{id}");
        }
    }
}

#[test]
fn every_page_has_three_sections_and_a_limited_length() {
    let mut wrong = String::new();
    for mistake in suites().iter().flat_map(|suite| (suite.mistakes)()) {
        let Mistake { id, page, summary, .. } = mistake;
        let headings: Vec<&str> = page.lines().filter(|line| line.starts_with('#')).collect();
        if headings != ["## What we saw", "## Why it is wrong", "## Where to look"] {
            writeln!(wrong, "{id}: its headings are {headings:?}").unwrap();
        }
        let lines = page.lines().filter(|line| !line.starts_with('#'));
        let words = lines.flat_map(str::split_whitespace).count();
        if !(80..=180).contains(&words) {
            writeln!(wrong, "{id}: {words} words, 80 to 180 are required").unwrap();
        }
        if page.contains("```") {
            writeln!(wrong, "{id}: a block of code reveals the answer").unwrap();
        }
        if page.lines().any(|line| line.chars().count() > 100)
            || !page.ends_with(".\n") && !page.ends_with("?\n")
        {
            writeln!(wrong, "{id}: a line is too long, or the last one is no sentence").unwrap();
        }
        if summary.ends_with('.') || summary.chars().count() > 90 {
            writeln!(wrong, "{id}: the summary is too long or ends with a full stop: {summary}")
                .unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn pairs_consist_of_two_different_mistakes() {
    for suite in suites() {
        let tasks: BTreeSet<&str> = (suite.mistakes)().iter().map(|it| it.task).collect();
        for pair in tasks.into_iter().flat_map(|task| (suite.pairs)(task)) {
            assert_ne!(pair.ids[0], pair.ids[1]);
        }
    }
}
