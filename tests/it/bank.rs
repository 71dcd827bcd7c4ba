//! The mistake bank, without a line of student code: each imitation falls to a check and is named.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use softmark::diagnose::name_mistakes;
use softmark_checks::Subject;
use softmark_exam::{Cut, Imitate, Mistake, Program, Suite, SuiteCheck};

use crate::support::exams::suites;
use crate::support::imitation::ImitationSession;
use crate::support::pack::HOME;

/// The checks of `task` that a session falls to.
fn fallen(suite: &Suite, task: &str, session: &mut ImitationSession, seed: u64) -> Vec<SuiteCheck> {
    let mut subject = Subject::new(session);
    let checks = (suite.checks)().into_iter().filter(|check| check.check.task() == task);
    checks.filter(|check| !check.check.ask(&mut subject, seed).unwrap().is_pass()).collect()
}

/// Each way of making a mistake that shows anywhere: with the cuts, where they are all there is, and else
/// with those that a right part has.
fn variants(suite: &Suite, mistake: &Mistake) -> Vec<(Imitate, Option<Cut>)> {
    let cut = mistake.cuts.first().copied().or(suite.rests);
    mistake.imitations.iter().map(|imitate| (*imitate, cut)).collect()
}

#[test]
fn every_imitation_falls_to_a_check_and_is_named_by_its_mistake() {
    let mut wrong = String::new();
    for suite in suites() {
        for mistake in (suite.mistakes)() {
            for (at, (imitate, cut)) in variants(suite, &mistake).into_iter().enumerate() {
                let mut session = ImitationSession::new(suite, mistake.task, imitate, cut);
                let fallen = fallen(suite, mistake.task, &mut session, 1);
                let named = name_mistakes(suite, mistake.task, &fallen, &mut session).unwrap();
                if fallen.is_empty() {
                    writeln!(wrong, "{} ({at}) falls to nothing", mistake.id).unwrap();
                }
                let ids = fallen.iter().map(|check| check.check.id);
                for id in ids.filter(|id| named.get(id) != Some(&mistake.id)) {
                    let name = named.get(id);
                    writeln!(wrong, "{} ({at}) at {id}: {name:?}", mistake.id).unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_is_right_passes_every_check() {
    for suite in suites() {
        for check in (suite.checks)() {
            let task = check.check.task();
            // What is right of these is a file, or detectors that make experiments of their own.
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
fn ids_are_unique_and_fit_to_be_typed() {
    for suite in suites() {
        let mut seen = BTreeSet::new();
        for mistake in (suite.mistakes)() {
            assert!(seen.insert(mistake.id), "{} stands twice in the bank", mistake.id);
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

/// No page lies in `solutions/` that the bank does not know, and its front matter is what any reader of TOML
/// takes it for.
#[test]
fn every_page_has_a_row_in_the_bank() {
    for suite in suites() {
        let folder = Path::new(HOME).join("solutions").join(suite.id).join("mistakes");
        let bank = (suite.mistakes)();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let id = path.file_name().unwrap().to_str().unwrap();
            let row = bank.iter().find(|mistake| mistake.id == id);
            let row = row.unwrap_or_else(|| panic!("{id} has no row in the bank"));
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
fn a_page_says_what_was_seen_why_it_is_wrong_and_where_to_look() {
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
            writeln!(wrong, "{id}: {words} words, 80 to 180 are asked for").unwrap();
        }
        if page.contains("```") {
            writeln!(wrong, "{id}: a block of code gives the answer away").unwrap();
        }
        if page.lines().any(|line| line.chars().count() > 100)
            || !page.ends_with(".\n") && !page.ends_with("?\n")
        {
            writeln!(wrong, "{id}: a line is too long, or the page does not end as one").unwrap();
        }
        if summary.ends_with('.') || summary.chars().count() > 90 {
            writeln!(wrong, "{id}: its summary is no short line: {summary}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn no_pair_of_mistakes_consists_of_one() {
    for suite in suites() {
        let tasks: BTreeSet<&str> = (suite.mistakes)().iter().map(|it| it.task).collect();
        for pair in tasks.into_iter().flat_map(|task| (suite.pairs)(task)) {
            assert_ne!(pair.ids[0], pair.ids[1]);
        }
    }
}
