//! The share of relatives of known mistakes that get the right name, task by task.
//!
//! `SOFTMARK_TEST_LONG=1` asks all of them instead of a sample.

use std::collections::BTreeMap;
use std::fmt::Write;

use softmark::diagnose::{Named, differences, name_mistakes};
use softmark_checks::Case;
use softmark_exam::{Cut, Response, Suite};
use softmark_kit::rng::Stream;

use crate::names::changed::{RELATIVES, Relative};
use crate::names::modern;
use crate::support::exams::{suite, suites};
use crate::support::imitation::ImitationSession;

/// The seed that the sample is drawn with.
const SEED: u64 = 13;

/// Number of generated relatives of each kind in a task.
const SAMPLE: usize = 4;

/// The share of relatives that have to get a right name.
const LEAST: f64 = 0.85;

/// Results of the relatives that differ from a right part.
#[derive(Default)]
struct Count {
    right: usize,
    /// Those of the right ones that make two mistakes, both of which are named.
    both: usize,
    wrong: Vec<String>,
    missing: Vec<String>,
}

impl Count {
    fn share(&self) -> f64 {
        let all = self.right + self.wrong.len() + self.missing.len();
        self.right as f64 / all.max(1) as f64
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.both += other.both;
        self.wrong.extend(other.wrong);
        self.missing.extend(other.missing);
    }
}

/// A relative: the mistakes that it makes, its answers, and the gradients that do not arrive.
struct Part {
    ids: Vec<&'static str>,
    answer: Box<dyn Fn(&Case) -> Response>,
    cut: Option<Cut>,
}

fn tasks(suite: &'static Suite) -> Vec<&'static str> {
    let mut tasks: Vec<&'static str> = Vec::new();
    for mistake in (suite.mistakes)() {
        if !tasks.contains(&mistake.task) {
            tasks.push(mistake.task);
        }
    }
    tasks
}

/// Some of them, drawn with a seed of their own; all with `SOFTMARK_TEST_LONG=1`.
fn sample(parts: Vec<Part>, what: &str) -> Vec<Part> {
    if std::env::var_os("SOFTMARK_TEST_LONG").is_some() {
        return parts;
    }
    let mut parts: Vec<(u64, Part)> = parts
        .into_iter()
        .enumerate()
        .map(|(at, part)| (Stream::derive(SEED, what, at as u64).bits(), part))
        .collect();
    parts.sort_by_key(|(draw, _)| *draw);
    parts.into_iter().take(SAMPLE).map(|(_, part)| part).collect()
}

/// Every mistake where a switch of the config has one value.
fn halves(suite: &'static Suite, task: &str) -> Vec<Part> {
    let truth = suite.truth;
    let values: Vec<_> =
        (suite.halves)(task).iter().flat_map(|half| [(half, true), (half, false)]).collect();
    let mut parts = Vec::new();
    for mistake in (suite.mistakes)().into_iter().filter(|it| it.task == task) {
        for imitate in mistake.imitations {
            parts.extend(values.iter().map(|&(half, on)| {
                let answer =
                    move |case: &Case| if half(case) == on { imitate(case) } else { truth(case) };
                Part { ids: vec![mistake.id], answer: Box::new(answer), cut: suite.rests }
            }));
        }
    }
    parts
}

/// Every two mistakes of which the suite knows what comes of both, and every mistake with a gradient that
/// another one keeps from arriving.
fn pairs(suite: &'static Suite, task: &str) -> Vec<Part> {
    let listed = (suite.pairs)(task).into_iter();
    listed
        .map(|pair| Part { ids: pair.ids.to_vec(), answer: pair.imitate, cut: suite.rests })
        .collect()
}

fn cuts(suite: &'static Suite, task: &str) -> Vec<Part> {
    let bank: Vec<_> = (suite.mistakes)().into_iter().filter(|it| it.task == task).collect();
    let mut parts = Vec::new();
    for one in bank.iter().filter(|it| it.cuts.is_empty()) {
        for (imitate, other) in
            one.imitations.iter().flat_map(|it| bank.iter().map(move |other| (it, other)))
        {
            parts.extend(other.cuts.iter().map(|cut| Part {
                ids: vec![one.id, other.id],
                answer: Box::new(*imitate),
                cut: Some(*cut),
            }));
        }
    }
    parts
}

fn named(suite: &'static Suite, task: &'static str, part: Part) -> (bool, Named) {
    let mut session = ImitationSession::new(suite, task, part.answer, part.cut);
    let checks = (suite.checks)().into_iter().filter(|check| check.check.task() == task);
    let differs = !differences(suite, task, &mut session).unwrap().is_empty();
    (differs, name_mistakes(suite, task, &checks.collect::<Vec<_>>(), &mut session).unwrap())
}

/// True if a mistake, made as the bank knows it, answers every question as the part does: then it is one
/// thing under two names.
fn is_same(suite: &Suite, task: &str, id: &str, answer: &dyn Fn(&Case) -> Response) -> bool {
    let said = |response: &Response| format!("{response:.6?}");
    let questions = (suite.battery)(task);
    let bank = (suite.mistakes)();
    bank.iter().filter(|it| it.id == id && it.task == task).flat_map(|it| it.imitations).any(|it| {
        questions.iter().all(|question| said(&it(&question.case)) == said(&answer(&question.case)))
    })
}

fn count(suite: &'static Suite, task: &'static str, parts: Vec<Part>) -> Count {
    let mut count = Count::default();
    for part in parts {
        let ids = part.ids.clone();
        let answer: std::rc::Rc<dyn Fn(&Case) -> Response> = part.answer.into();
        let again = std::rc::Rc::clone(&answer);
        let part = Part { ids: part.ids, answer: Box::new(move |case| again(case)), cut: part.cut };
        let (differs, named) = named(suite, task, part);
        if !differs {
            continue;
        }
        let mut names: Vec<&str> = named.into_values().collect();
        names.sort_unstable();
        names.dedup();
        let what = format!("{} {task}: {} is named {names:?}", suite.id, ids.join(" + "));
        let is_wrong = |name: &&str| !ids.contains(name) && !is_same(suite, task, name, &*answer);
        if names.is_empty() {
            count.missing.push(what);
        } else if names.iter().any(is_wrong) {
            count.wrong.push(what);
        } else {
            count.right += 1;
            count.both += usize::from(names.len() == 2);
        }
    }
    count
}

fn relatives() -> impl Iterator<Item = &'static Relative> {
    RELATIVES.iter().chain(modern::RELATIVES)
}

fn written(suite: &'static Suite, task: &str) -> Vec<Part> {
    let of_task = relatives().filter(|(of, in_task, ..)| (*of, *in_task) == (suite.id, task));
    of_task
        .map(|(_, _, ids, answer)| {
            let answer: Box<dyn Fn(&Case) -> Response> = Box::new(*answer);
            Part { ids: ids.to_vec(), answer, cut: suite.rests }
        })
        .collect()
}

#[test]
fn most_relatives_get_the_right_name_and_none_a_wrong_one() {
    let mut table = String::new();
    let mut all: BTreeMap<&str, Count> = BTreeMap::new();
    for suite in suites() {
        // What is borrowed is counted where it is lent.
        let borrowed = |task: &&str| suite.borrows.iter().any(|it| it.task == *task);
        for task in tasks(suite).into_iter().filter(|task| !borrowed(task)) {
            let kinds = [
                ("written by hand", written(suite, task)),
                ("in one placement", sample(halves(suite, task), task)),
                ("two at once", sample(pairs(suite, task), task)),
                ("one and a cut", sample(cuts(suite, task), task)),
            ];
            for (kind, parts) in kinds {
                let count = count(suite, task, parts);
                let (right, both) = (count.right, count.both);
                let (wrong, missing) = (count.wrong.len(), count.missing.len());
                writeln!(
                    table,
                    "{:<14} {task:<20} {kind:<17} right {right:>4} (both {both:>3}) false {wrong:>2} missing {missing:>3}",
                    suite.id
                )
                .unwrap();
                all.entry(kind).or_default().add(count);
            }
        }
    }
    let (mut total, mut wrong) = (Count::default(), Vec::new());
    for (kind, count) in all {
        writeln!(table, "{kind}: {:.0} %", 100.0 * count.share()).unwrap();
        total.add(count);
    }
    writeln!(table, "in all: {:.1} %", 100.0 * total.share()).unwrap();
    println!("{table}\nmissing:\n{}", total.missing.join("\n"));
    wrong.append(&mut total.wrong);
    assert!(wrong.is_empty(), "named falsely:\n{}", wrong.join("\n"));
    assert!(total.share() >= LEAST, "{:.3} of relatives get a right name", total.share());
}

/// Each task of which nothing is written elsewhere in this folder has relatives that are written by hand.
#[test]
fn every_task_has_relatives_that_are_written_by_hand() {
    let elsewhere = [
        "scaled-dot-product",
        "multi-head",
        "sinusoidal-position",
        "learned-position",
        "masked-pooling",
    ];
    for suite in suites() {
        let borrowed = |task: &&str| suite.borrows.iter().any(|it| it.task == *task);
        let own = tasks(suite).into_iter().filter(|task| !borrowed(task));
        for task in own.filter(|task| !elsewhere.contains(task)) {
            assert!(written(suite, task).len() >= 4, "{} {task}", suite.id);
        }
    }
    for (assignment, task, ids, _) in relatives() {
        let bank = (suite(assignment).mistakes)();
        for id in *ids {
            assert!(bank.iter().any(|it| it.id == *id && it.task == *task), "{id} in {task}");
        }
    }
}
