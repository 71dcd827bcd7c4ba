//! Suggestions for additions to an exam.

use crate::audit::matrix::{Audit, Mutant};
use crate::audit::scope::Scope;

/// Least number of mutants that a check should catch. One proves that the check can fail; a second one, written
/// differently, that it does not fail for the text of the first.
const MUTANTS: usize = 2;

/// Least number of mistakes with a page in a task. Students of one class make five to ten different ones in a layer;
/// with fewer pages, most of them read what is wrong and not why.
const MISTAKES: usize = 5;

/// Least number of accepted variants for each task: one in another style, and one by another formula.
const VARIANTS: usize = 2;

/// Most names in a suggestion.
const NAMES: usize = 4;

/// Returns what to add, one line each; nothing if only a part was audited.
pub(super) fn suggestions(audit: &Audit) -> Vec<String> {
    if audit.scope != Scope::Whole {
        return Vec::new();
    }
    let few = |check: &&String| audit.killed_by(check).count() < MUTANTS;
    let checks: Vec<&str> = audit.checks.iter().filter(few).map(String::as_str).collect();
    let tasks = audit.tasks();
    let without = tasks.iter().copied().filter(|task| mistakes(audit, task) < MISTAKES);
    let without: Vec<&str> = without.collect();
    // The solution is one of them.
    let variants = audit.right.len().saturating_sub(1);
    let mut found = Vec::new();
    if !checks.is_empty() {
        found.push(format!("mutants, so that each check catches {MUTANTS}: {}", listed(&checks)));
    }
    if !without.is_empty() {
        found.push(format!(
            "mistakes with pages, so that each task has {MISTAKES}: {}",
            listed(&without)
        ));
    }
    if variants < VARIANTS * tasks.len() {
        found.push(format!(
            "accepted variants, {VARIANTS} for each task: there are {variants} for {}",
            listed(&tasks)
        ));
    }
    if audit.idle.is_empty() {
        found.push("code that computes nothing, such as `idle/identity`: there is none".to_owned());
    }
    found
}

/// Number of different mistakes that mutants of a task make.
fn mistakes(audit: &Audit, task: &str) -> usize {
    let of_task = audit.mutants.iter().filter(|mutant| mutant.task == task);
    let mut names: Vec<&String> =
        of_task.filter_map(|Mutant { mistake, .. }| mistake.as_ref()).collect();
    names.sort();
    names.dedup();
    names.len()
}

/// Returns the first names, and how many more there are.
fn listed(names: &[&str]) -> String {
    let shown: Vec<&str> = names.iter().copied().take(NAMES).collect();
    match names.len().saturating_sub(NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::audit::matrix::{Idle, Right, Verdict};

    fn mutant(name: &str, mistake: Option<&str>, falls_to: &[&str]) -> Mutant {
        let verdict = |check: &&str| ((*check).to_owned(), vec![Verdict::Fails]);
        Mutant {
            name: name.to_owned(),
            task: "t".to_owned(),
            mistake: mistake.map(str::to_owned),
            also: None,
            expected: BTreeSet::new(),
            verdicts: falls_to.iter().map(verdict).collect(),
            named: BTreeMap::new(),
            against: Vec::new(),
            recognised: None,
            recording: None,
        }
    }

    fn audit(mutants: Vec<Mutant>, right: usize) -> Audit {
        Audit {
            assignment: "a".to_owned(),
            scope: Scope::Whole,
            seeds: vec![1],
            checks: ["t/one", "t/two"].map(str::to_owned).to_vec(),
            mutants,
            right: vec![Right::default(); right],
            idle: vec![Idle::default()],
            left_out: Vec::new(),
            points: BTreeMap::new(),
            messages: Vec::new(),
        }
    }

    #[test]
    fn what_is_thin_is_told() {
        let mutants =
            vec![mutant("a", Some("m"), &["t/one", "t/two"]), mutant("b", Some("m"), &["t/one"])];
        let told = suggestions(&audit(mutants, 2));
        assert_eq!(
            told,
            [
                "mutants, so that each check catches 2: t/two",
                "mistakes with pages, so that each task has 5: t",
                "accepted variants, 2 for each task: there are 1 for t",
            ]
        );
    }

    #[test]
    fn an_exam_with_enough_of_all_gets_no_suggestion() {
        let names = ["a", "b", "c", "d", "e"];
        let mutants: Vec<Mutant> =
            names.iter().map(|name| mutant(name, Some(name), &["t/one", "t/two"])).collect();
        assert!(suggestions(&audit(mutants.clone(), 3)).is_empty());
        let part = Audit { scope: Scope::Part, ..audit(Vec::new(), 0) };
        assert!(suggestions(&part).is_empty());
        assert_eq!(suggestions(&audit(mutants[1..].to_vec(), 3)).len(), 1);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(&["a", "b"]), "a, b");
        assert_eq!(listed(&["a", "b", "c", "d", "e", "f"]), "a, b, c, d and 2 more");
    }
}
