//! Invariants of the mistakes named for every suite.

use std::fmt::Write;

use softmark::diagnose::differences;
use softmark_checks::{Array, Case};
use softmark_exam::{Response, Suite};

use crate::names::named;
use crate::support::exams::suites;
use crate::support::solved;

/// The tasks of which there are questions.
fn tasks(suite: &'static Suite) -> Vec<&'static str> {
    let mut tasks: Vec<&'static str> = Vec::new();
    for check in (suite.checks)() {
        if !tasks.contains(&check.check.task()) && !(suite.battery)(check.check.task()).is_empty() {
            tasks.push(check.check.task());
        }
    }
    tasks
}

/// Every task of which there are questions, after its suite.
fn all_tasks() -> impl Iterator<Item = (&'static Suite, &'static str)> {
    suites().iter().flat_map(|suite| tasks(suite).into_iter().map(move |task| (suite, task)))
}

fn is_strided(case: &Case) -> bool {
    case.inputs.iter().any(|input| input.strided)
}

/// The size of an axis of the first input.
fn size(case: &Case, axis: usize) -> usize {
    case.inputs.first().map_or(0, |input| input.array.shape().get(axis).copied().unwrap_or(0))
}

/// True for the cases that a submission answers with an error.
type Refuses = fn(&Case) -> bool;

/// Ways of refusing some questions.
const REFUSALS: [(&str, Refuses); 10] = [
    ("everything", |_| true),
    ("masks", |case| case.find("mask").is_some()),
    ("no mask", |case| case.find("mask").is_none()),
    ("several examples", |case| size(case, 0) > 1),
    ("a single example", |case| size(case, 0) == 1),
    ("other lengths of keys than of queries", |case| {
        match (case.find("query"), case.find("key")) {
            (Some(query), Some(key)) => query.shape() != key.shape(),
            _ => false,
        }
    }),
    ("as many positions as examples", |case| size(case, 0) == size(case, 1)),
    ("even first axes", |case| size(case, 0).is_multiple_of(2)),
    ("long second axes", |case| size(case, 1) > 2),
    ("a norm, or a norm in front", |case| {
        case.get_size("norm") == 1 || case.get_size("pre_norm") == 1
    }),
];

#[test]
fn who_only_refuses_is_given_no_name() {
    let mut wrong = String::new();
    for (suite, task) in all_tasks() {
        for (what, refuses) in REFUSALS {
            for response in [Response::Refused, Response::Panicked] {
                let truth = suite.truth;
                let answer = response.clone();
                let part =
                    move |case: &Case| if refuses(case) { answer.clone() } else { truth(case) };
                let named = named(suite, task, part);
                if !named.is_empty() {
                    let names = named.values().next();
                    writeln!(wrong, "{task}, {what}, {response:?}: {names:?}").unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A part that refuses views is named for that mistake, if the bank has it, and for no other.
#[test]
fn who_refuses_views_is_named_for_just_that() {
    for (suite, task) in all_tasks() {
        let truth = suite.truth;
        let part =
            move |case: &Case| if is_strided(case) { Response::Refused } else { truth(case) };
        for name in named(suite, task, part).into_values() {
            let says_so = ["strided", "views"].iter().any(|word| name.contains(word));
            assert!(says_so, "{task}: {name}");
        }
    }
}

/// A spoiled number, by its place and by what it was.
type Spoil = fn(usize, f64) -> f64;

/// Ways of spoiling numbers of which none is a mistake that anybody makes.
const SPOILED: [(&str, Spoil); 5] = [
    ("a tenth too large", |_, x| x * 1.1),
    ("a twentieth too much", |_, x| x + 0.05),
    ("noise", |at, x| x + 0.01 * ((at * 7_919 % 101) as f64 - 50.0)),
    ("rounded to a quarter", |_, x| (x * 4.0).round() / 4.0 + 0.011),
    ("a sign", |at, x| if at.is_multiple_of(3) { -x - 0.003 } else { x }),
];

/// The answer with the numbers of every output spoiled.
fn spoiled(response: Response, spoil: Spoil) -> Response {
    let Response::Outputs(outputs) = response else { return response };
    let spoiled = |array: &Array| {
        let mut at = 0;
        array.map(|x| {
            at += 1;
            spoil(at, x)
        })
    };
    Response::Outputs(outputs.into_iter().map(|(name, array)| (name, spoiled(&array))).collect())
}

#[test]
fn spoiled_numbers_are_given_no_name() {
    let mut wrong = String::new();
    for (suite, task) in all_tasks() {
        for (what, spoil) in SPOILED {
            let truth = suite.truth;
            let named = named(suite, task, move |case| spoiled(truth(case), spoil));
            if !named.is_empty() {
                writeln!(wrong, "{task}, {what}: {:?}", named.values().next()).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_is_right_is_given_no_name() {
    for (suite, task) in all_tasks() {
        let found = named(suite, task, suite.truth);
        assert!(found.is_empty(), "{task}: {found:?}");
    }
}

/// The compiled solution answers every question as the oracle does: otherwise a right answer would
/// contradict a mistake.
#[test]
fn the_solution_answers_every_question_rightly() {
    for (suite, task) in all_tasks() {
        let mut session = solved::session(suite.id, (suite.diagnosed_in)(task));
        let differ = differences(suite, task, &mut *session).unwrap();
        assert!(differ.is_empty(), "{task}:\n{}", differ.join("\n"));
    }
}
