//! Tests that `cargo test` in an assignment's folder shares the workspace's build of candle: cargo builds a crate again for
//! each set of features. A course builds what judges and what computes as fast as the workspace does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use toml::Table;

use crate::support::cargo::cargo;
use crate::support::exams::suites;
use crate::tidy::{fail_with, root};

/// Crates of ours of which students get less than the workspace has.
const LESS_FOR_STUDENTS: [&str; 2] = ["softmark-kit", "softmark-plot"];

/// Returns the sets of features with which cargo builds each crate, by name and version.
fn features(packages: &str) -> BTreeMap<String, BTreeSet<String>> {
    let args = format!(
        "tree --offline --locked -e normal,build,dev --prefix none -f {{p}}|{{f}}| {packages}"
    );
    let told = cargo(&args, &root()).output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let told = String::from_utf8(told.stdout).unwrap();
    // Other lines are headings.
    for line in told.lines().filter(|line| line.contains('|')) {
        // Behind the last bar is a mark of what was shown before.
        let mut parts = line.split('|');
        let (package, features) = (parts.next().unwrap(), parts.next().unwrap());
        // Behind it are the folder of a package, and words such as `(proc-macro)`.
        let name = package.split(" (").next().unwrap();
        found.entry(name.to_owned()).or_default().insert(features.to_owned());
    }
    assert!(found.keys().any(|it| it.starts_with("candle-core v")), "{packages}: no candle");
    found
}

#[test]
fn tests_of_an_assignment_share_the_build_of_the_workspace() {
    let workspace = features("");
    let mut problems = Vec::new();
    for suite in suites() {
        for (package, sets) in features(&format!("-p {}", suite.id)) {
            let name = package.split(' ').next().unwrap();
            if name == suite.id || LESS_FOR_STUDENTS.contains(&name) {
                continue;
            }
            let shared = workspace.get(&package).cloned().unwrap_or_default();
            let others = sets.difference(&shared);
            problems.extend(others.map(|set| {
                format!(
                    "{}: {package} is built with {set:?}, in the workspace with {shared:?}: add the features to \
                     crates/softmark-student/Cargo.toml",
                    suite.id
                )
            }));
        }
    }
    fail_with(&problems);
}

/// The crate that no course depends on.
const NOT_IN_COURSES: &str = "softmark-data";

/// Returns the optimisation level of each crate that the profile `name` of a manifest sets one for, without versions.
fn levels(manifest: &str, name: &str) -> BTreeMap<String, i64> {
    // What a course is made with stands for whole entries: `softmark-kit = { @softmark-kit@ }`.
    let text = fs::read_to_string(root().join(manifest)).unwrap();
    let entries = text.lines().filter(|line| !line.contains('@') || line.contains("opt-level"));
    let manifest: Table = entries.collect::<Vec<_>>().join("\n").parse().unwrap();
    let crates = manifest["profile"][name]["package"].as_table().unwrap().iter();
    let level = |(name, of): (&String, &toml::Value)| {
        let name = name.split('@').next().unwrap();
        Some((name.to_owned(), of.get("opt-level")?.as_integer()?))
    };
    crates.filter_map(level).collect()
}

#[test]
fn a_course_is_built_for_speed_where_the_workspace_is() {
    let mut problems = Vec::new();
    for profile in ["dev", "pack"] {
        let course = levels("templates/course/Cargo.toml", profile);
        let is_of_assignment =
            |name: &str| suites().iter().any(|suite| name.strip_prefix(suite.id).is_some());
        for (name, level) in levels("Cargo.toml", profile) {
            let is_left_out = name == NOT_IN_COURSES || is_of_assignment(&name);
            if !is_left_out && course.get(&name) != Some(&level) {
                let has = course.get(&name);
                problems
                    .push(format!("{profile}: {name} has opt-level {level}, in a course {has:?}"));
            }
        }
    }
    fail_with(&problems);
}
