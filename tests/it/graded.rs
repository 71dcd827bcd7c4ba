//! The grader, graded: what is wrong falls to the checks that it should, and under its own name;
//! what is right, however it is written, falls to none.

use std::fmt::Write;
use std::path::Path;

use softmark::audit::{Findings, Scope};
use softmark::fixtures::{self, Expect, Fixture, Role};
use softmark_checks::Outcome;
use softmark_exam::Suite;

use crate::support::bench::{audited, examined};
use crate::support::exams::{project, suite, suites};
use crate::support::pack::{HOME, answers, files};

fn mutants(suite: &Suite) -> Vec<Fixture> {
    fixtures::mutants(project(), suite.id).unwrap()
}

/// The headers of the mutants of an assignment.
fn expectations(suite: &Suite) -> Vec<Expect> {
    let expect = |fixture: Fixture| match fixture.role {
        Role::Mutant(expect) => expect,
        role @ (Role::Solution | Role::Variant | Role::Idle) => panic!("{role:?}"),
    };
    mutants(suite).into_iter().map(expect).collect()
}

fn no_problem_in(findings: &Findings) {
    let problems: Vec<String> = findings.problems.iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// Number of seeds on which each mutant is judged, from the one that its patch speaks of.
const MUTANT_SEEDS: u64 = 1;

/// The same with `SOFTMARK_TEST_LONG=1`.
const MUTANT_SEEDS_OF_A_LONG_TEST: u64 = 10;

fn mutants_fall_to_their_checks_and_are_named(suite: &Suite) {
    let mutants = mutants(suite);
    let long = std::env::var_os("SOFTMARK_TEST_LONG").is_some();
    let count = if long { MUTANT_SEEDS_OF_A_LONG_TEST } else { MUTANT_SEEDS };
    let seeds: Vec<u64> = (0..count).map(|n| Expect::SEED + n).collect();
    no_problem_in(&audited(suite, &mutants, (Scope::Whole, &seeds)));
}

#[test]
fn every_mutant_of_attention_falls_to_its_checks_and_is_named() {
    mutants_fall_to_their_checks_and_are_named(suite("attention"));
}

#[test]
fn every_mutant_of_debugging_falls_to_its_checks_and_is_named() {
    mutants_fall_to_their_checks_and_are_named(suite("debugging"));
}

#[test]
fn every_mutant_of_the_encoder_falls_to_its_checks_and_is_named() {
    mutants_fall_to_their_checks_and_are_named(suite("encoder"));
}

#[test]
fn every_mutant_of_modern_falls_to_its_checks_and_is_named() {
    mutants_fall_to_their_checks_and_are_named(suite("modern"));
}

#[test]
fn every_mutant_of_prefix_tuning_falls_to_its_checks_and_is_named() {
    mutants_fall_to_their_checks_and_are_named(suite("prefix-tuning"));
}

/// Seeds on which each variant is asked everything: twenty with `SOFTMARK_TEST_LONG=1`. The solution
/// is asked on twenty every time (`solutions.rs`).
fn seeds() -> Vec<u64> {
    let long = std::env::var_os("SOFTMARK_TEST_LONG").is_some();
    (0..if long { 20 } else { 6 }).collect()
}

/// And none comes near a tolerance.
fn variants_pass_every_check(suite: &Suite) {
    let variants = fixtures::variants(project(), suite.id).unwrap();
    assert!(!variants.is_empty(), "{} has no variants", suite.id);
    no_problem_in(&audited(suite, &variants, (Scope::Part, &seeds())));
}

#[test]
fn every_variant_of_attention_passes_every_check_on_many_seeds() {
    variants_pass_every_check(suite("attention"));
}

#[test]
fn every_variant_of_debugging_passes_every_check_on_many_seeds() {
    variants_pass_every_check(suite("debugging"));
}

#[test]
fn every_variant_of_the_encoder_passes_every_check_on_many_seeds() {
    variants_pass_every_check(suite("encoder"));
}

#[test]
fn every_variant_of_modern_passes_every_check_on_many_seeds() {
    variants_pass_every_check(suite("modern"));
}

#[test]
fn every_variant_of_prefix_tuning_passes_every_check_on_many_seeds() {
    variants_pass_every_check(suite("prefix-tuning"));
}

#[test]
fn the_skeleton_has_nothing_implemented() {
    for suite in suites() {
        let source = files(&format!("assignments/{}", suite.id));
        let skeleton = Fixture {
            name: "skeleton".to_owned(),
            role: Role::Idle,
            source,
            answers: answers(&format!("assignments/{}", suite.id)),
            uploads: softmark::build::Source::default(),
        };
        for judged in examined(suite, &skeleton, &[Expect::SEED]).judged {
            let is_stub = matches!(judged.outcome, Outcome::NotImplemented { .. });
            assert!(is_stub, "{judged:?}");
        }
    }
}

#[test]
fn the_solution_passes_everything() {
    for suite in suites() {
        let solution = fixtures::solution(Path::new(HOME), suite.id).unwrap();
        no_problem_in(&audited(suite, &[solution], (Scope::Part, &[Expect::SEED])));
    }
}

/// Every check that something should not move, or be refused, has a control: so ones of the right
/// shape pass none, and neither does an error whatever is asked.
#[test]
fn nothing_is_earned_by_code_that_computes_nothing() {
    for suite in suites() {
        for idle in fixtures::idle(project(), suite.id).unwrap() {
            let seeds = [Expect::SEED, Expect::SEED + 1];
            for judged in examined(suite, &idle, &seeds).judged {
                assert!(!judged.outcome.is_pass(), "{} passes {}", idle.name, judged.check);
            }
        }
    }
}

/// The check that compares a classifier with the submission's own parts. Parts that draw their answers anew at each call
/// fail it, whatever the classifier does.
const COMPARED_WITH_ITSELF: &str = "classifier/own-parts";

#[test]
fn every_check_and_every_mistake_has_a_mutant() {
    let mut missing = String::new();
    for suite in suites() {
        let expects = expectations(suite);
        let bank = (suite.mistakes)();
        let checks = (suite.checks)();
        for id in checks.iter().map(|check| check.check.id) {
            if !expects.iter().any(|expect| expect.fails.contains(id)) {
                writeln!(missing, "no mutant falls to {id}").unwrap();
            }
        }
        for mistake in &bank {
            if !expects.iter().any(|expect| expect.mistake.as_deref() == Some(mistake.id)) {
                writeln!(missing, "no mutant makes the mistake {}", mistake.id).unwrap();
            }
        }
        for Expect { mistake, task, fails, .. } in &expects {
            let is_known = |id: &String| bank.iter().any(|it| it.id == id && it.task == task);
            if !mistake.iter().all(is_known) {
                writeln!(missing, "the bank has no mistake {mistake:?} in {task}").unwrap();
            }
            for id in fails {
                let known = checks.iter().any(|check| check.check.id == id);
                let fits = id.starts_with(&format!("{task}/")) || id == COMPARED_WITH_ITSELF;
                if !known || !fits {
                    writeln!(missing, "{mistake:?} is to fall to {id}, which is none of {task}")
                        .unwrap();
                }
            }
        }
    }
    assert!(missing.is_empty(), "\n{missing}");
}
