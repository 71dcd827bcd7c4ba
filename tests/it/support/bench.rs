//! Fixtures, built and asked as `grade audit` does.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::OnceLock;

use regex::Regex;
use softmark::assignment;
use softmark::audit::{Audit, Bench, Examined, Findings, Message, Scope, Seen, findings};
use softmark::build::Tools;
use softmark::fixtures::Fixture;
use softmark::suite::Suite;

use crate::support::pack::{HOME, pack, tools};

/// Fixtures that are built and asked at the same time.
const JOBS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// Does `work` at a bench for an assignment.
fn at_bench<R>(suite: &Suite, work: impl FnOnce(Bench<'_>) -> R) -> R {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    let limits = assignment::load(Path::new(HOME), suite.id).unwrap().worker;
    let scratch = tempfile::tempdir().unwrap();
    work(Bench {
        sandbox: &TOOLS.get_or_init(tools).sandbox,
        pack: pack(),
        scratch: scratch.path(),
        suite,
        limits: &limits,
    })
}

/// What comes of every check of the suite, put to one fixture on each of the seeds.
pub(crate) fn examined(suite: &Suite, fixture: &Fixture, seeds: &[u64]) -> Examined {
    at_bench(suite, |bench| bench.examine(fixture, seeds, &mut |_| ()).unwrap())
}

/// Messages that are not English, or show a number as Rust's debug output does.
fn badly_written(messages: &[Message]) -> Vec<String> {
    let patterns = [
        r"(^|[^\d.,\[-])1 (epochs|batches|trainings|layers|combinations|steps|values|rows|tokens|texts)\b",
        r"\d\.0[,\]]",
        r"(is|expected) -0\b[^.]",
    ];
    let patterns = patterns.map(|pattern| Regex::new(pattern).unwrap());
    let is_bad = |message: &&Message| patterns.iter().any(|it| it.is_match(&message.text));
    let shown =
        |message: &Message| format!("{} ({}): {}", message.check, message.fixture, message.text);
    messages.iter().filter(is_bad).map(shown).collect()
}

#[test]
fn numbers_and_words_that_do_not_fit_are_found() {
    let told = |text: &str| {
        let text = text.to_owned();
        let (fixture, check, case) = (String::new(), String::new(), String::new());
        let mistake = None;
        let message = Message { fixture, check, seed: 1, status: "wrong", mistake, case, text };
        !badly_written(&[message]).is_empty()
    };
    for bad in ["after 1 epochs", "1 values differ", "got [1.0, 0.5]", "is -0 there"] {
        assert!(told(bad), "{bad}");
    }
    for fine in ["after 11 epochs", "0.1 values", "1 value differs", "[1, 0.5]", "is -0.5"] {
        assert!(!told(fine), "{fine}");
    }
}

/// What follows for some fixtures of an assignment.
pub(crate) fn audited(
    suite: &Suite,
    fixtures: &[Fixture],
    (scope, seeds): (Scope, &[u64]),
) -> Findings {
    let Seen { mutants, right, messages } =
        at_bench(suite, |bench| bench.audit(fixtures, seeds, JOBS, &mut |_| ()).unwrap());
    let bad = badly_written(&messages);
    assert!(bad.is_empty(), "\n{}", bad.join("\n"));
    findings(&Audit {
        assignment: suite.id.to_owned(),
        scope,
        seeds: seeds.to_vec(),
        checks: (suite.checks)().iter().map(|entry| entry.check.id.to_owned()).collect(),
        mutants,
        right,
        left_out: Vec::new(),
        points: BTreeMap::new(),
        messages,
    })
}
