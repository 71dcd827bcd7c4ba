//! Tests that `cargo test` in an assignment's folder shares the workspace's build of candle: cargo builds a crate again for
//! each set of features.

use std::collections::{BTreeMap, BTreeSet};

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
