//! Handouts: the section of each task, and the figures.

mod figure;
mod section;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use softmark_checks::Task;

use crate::support::pack::HOME;

/// Handout of an assignment.
struct Handout {
    /// Assignment id.
    id: &'static str,
    /// Tasks that the public checks know, with their titles.
    tasks: &'static [Task],
}

const HANDOUTS: [Handout; 5] = [
    Handout { id: "attention", tasks: attention_checks::TASKS },
    Handout { id: "debugging", tasks: debugging_checks::TASKS },
    Handout { id: "encoder", tasks: encoder_checks::TASKS },
    Handout { id: "modern", tasks: modern_checks::TASKS },
    Handout { id: "prefix-tuning", tasks: prefix_tuning_checks::TASKS },
];

impl Handout {
    fn folder(&self) -> PathBuf {
        PathBuf::from(HOME).join("assignments").join(self.id)
    }

    fn text(&self) -> String {
        fs::read_to_string(self.folder().join("README.md")).unwrap()
    }

    /// Returns the figures in the assignment's folder: file name → text.
    fn figures(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(self.folder().join("figures")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        paths.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
    }

    fn titles(&self) -> Vec<&'static str> {
        self.tasks.iter().map(|task| task.title).collect()
    }
}

fn fail_with(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// Returns the differences between the figures that a handout shows and those in its folder.
fn unmatched(text: &str, files: &BTreeSet<String>) -> Vec<String> {
    let shown: BTreeSet<String> = section::shown_figures(text).into_iter().collect();
    let missing = shown.difference(files).map(|name| format!("{name}: there is no such figure"));
    let unused =
        files.difference(&shown).map(|name| format!("{name}: the handout does not show it"));
    missing.chain(unused).collect()
}

#[test]
fn every_assignment_has_a_handout_here() {
    let here: BTreeSet<&str> = HANDOUTS.iter().map(|handout| handout.id).collect();
    let suites = crate::support::exams::suites();
    assert_eq!(here, suites.iter().map(|suite| suite.id).collect());
}

#[test]
fn every_task_has_a_section_with_figure_formula_and_time() {
    let problems = HANDOUTS.iter().flat_map(|handout| {
        let found = section::problems(&handout.text(), &handout.titles());
        found.into_iter().map(|problem| format!("{}: {problem}", handout.id))
    });
    fail_with(&problems.collect::<Vec<_>>());
}

#[test]
fn every_handout_says_what_to_do_when_stuck() {
    for handout in HANDOUTS {
        let text = handout.text();
        let (_, section) = text.split_once("\n## When you are stuck\n").unwrap();
        let section = section.split("\n## ").next().unwrap();
        for option in ["--hint ", "--explain", "--watch"] {
            assert!(section.contains(option), "{}: nothing about {option}", handout.id);
        }
        let named = section.split("--hint ").nth(1).and_then(|it| it.split('`').next()).unwrap();
        let mut checks = handout.tasks.iter().flat_map(|task| task.checks);
        assert!(checks.any(|check| check.id == named), "{}: no check {named}", handout.id);
    }
}

#[test]
fn every_figure_is_shown_and_every_shown_figure_exists() {
    for handout in HANDOUTS {
        let files = handout.figures().into_keys().collect();
        fail_with(&unmatched(&handout.text(), &files));
    }
}

#[test]
fn figures_are_small_and_readable_and_load_nothing() {
    for handout in HANDOUTS {
        for (name, text) in handout.figures() {
            let prefix = format!("{}-{}", handout.id, name.trim_end_matches(".svg"));
            fail_with(&figure::problems(&name, &prefix, &text));
        }
    }
}

#[test]
fn reports_figures_that_are_missing_and_figures_that_are_not_shown() {
    let text = "![two](figures/two.svg)\n\ntext ![three](figures/three.svg) on a line with text\n";
    let files = ["one.svg", "two.svg"].map(str::to_owned).into();
    assert_eq!(unmatched(text, &files), ["one.svg: the handout does not show it"]);
    assert_eq!(unmatched(text, &BTreeSet::new()), ["two.svg: there is no such figure"]);
}
