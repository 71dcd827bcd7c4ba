//! Questions that lack something: each is the grader's error, whatever the code would answer.

use std::collections::{BTreeMap, BTreeSet};

use softmark_checks::signature::Asked;
use softmark_checks::{Case, CheckError, Stop, Subject};

use super::Ones;
use crate::support::exams::suites;

/// Sizes and inputs that a question may leave out, by part.
const OPTIONAL: [(&str, &[&str]); 5] = [
    ("scaled-dot-product", &["mask"]),
    ("multi-head", &["key", "value", "mask", "stand_ins"]),
    ("masked-pooling", &["mask"]),
    ("classifier", &["stand_ins"]),
    ("sweep", &["broken"]),
];

/// A question of each battery, by its part and assignment.
fn cases() -> BTreeMap<(&'static str, &'static str), Case> {
    let mut cases = BTreeMap::new();
    for suite in suites() {
        let checks = (suite.checks)();
        let tasks: BTreeSet<&str> = checks.iter().map(|entry| entry.check.task()).collect();
        for question in tasks.into_iter().flat_map(suite.battery) {
            let has = |case: &Case| case.inputs.len() + case.config.len();
            let place = cases.entry((question.case.part(), suite.id));
            let kept: &mut Case = place.or_insert_with(|| question.case.clone());
            if has(&question.case) > has(kept) {
                *kept = question.case;
            }
        }
    }
    cases
}

fn is_optional(part: &str, name: &str) -> bool {
    OPTIONAL.iter().any(|(of, names)| *of == part && names.contains(&name))
}

fn defect(case: &Case) -> Option<String> {
    match Subject::new(&mut Ones).try_forward(case) {
        Err(Stop::Error(CheckError::Defect { what, .. })) => Some(what),
        _ => None,
    }
}

#[test]
fn a_question_that_lacks_a_size_or_an_input_is_an_error_of_the_grader() {
    let cases = cases();
    assert!(cases.len() > 15, "{:?}", cases.keys());
    for ((part, _), case) in cases {
        assert_eq!(defect(&case), None, "{part}");
        let inputs = case.inputs.iter().map(|input| input.name);
        let names: Vec<&str> = case.config.iter().map(|(name, _)| *name).chain(inputs).collect();
        for name in names {
            let mut lacking = case.clone();
            lacking.config.retain(|(of, _)| *of != name);
            lacking.inputs.retain(|input| input.name != name);
            let found = defect(&lacking);
            let is_told = found
                .as_ref()
                .is_some_and(|what| *what == format!("a question to `{part}` lacks `{name}`"));
            assert!(is_told != is_optional(part, name), "{part} without {name}: {found:?}");
        }
    }
}

/// A training is not asked as a case, and its config must be complete as well.
#[test]
fn every_training_says_all_sizes() {
    for training in suites().iter().flat_map(|suite| suite.trainings) {
        let plan = (training.plan)(1);
        let has = |name: &str| plan.config.iter().any(|(of, _)| *of == name);
        let lacking = plan.signature.lacking(Asked::ToBeMade, has);
        assert!(lacking.is_empty(), "{}: {lacking:?}", plan.part());
    }
}
