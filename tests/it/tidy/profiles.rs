//! Tests that a course builds what judges and what computes as fast as the workspace does.

use std::collections::BTreeMap;
use std::fs;

use toml::{Table, Value};

use crate::support::exams::suites;
use crate::tidy::{fail_with, root};

/// The crates that no course depends on; two of them are the allocator of these tests.
const NOT_IN_COURSES: [&str; 3] = ["libmimalloc-sys", "mimalloc", "softmark-data"];

/// Returns the optimisation level of each crate that the profile `name` of a manifest sets one for, without versions.
fn levels(manifest: &str, name: &str) -> BTreeMap<String, i64> {
    // What a course is made with stands for whole entries: `softmark-kit = { @softmark-kit@ }`.
    let text = fs::read_to_string(root().join(manifest)).unwrap();
    let entries = text.lines().filter(|line| !line.contains('@') || line.contains("opt-level"));
    let manifest: Table = entries.collect::<Vec<_>>().join("\n").parse().unwrap();
    let crates = manifest["profile"][name]["package"].as_table().unwrap().iter();
    let level = |(name, of): (&String, &Value)| {
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
        let is_of_assignment = |name: &str| suites().iter().any(|suite| name.starts_with(suite.id));
        for (name, level) in levels("Cargo.toml", profile) {
            let is_left_out = NOT_IN_COURSES.contains(&name.as_str()) || is_of_assignment(&name);
            if !is_left_out && course.get(&name) != Some(&level) {
                let has = course.get(&name);
                problems
                    .push(format!("{profile}: {name} has opt-level {level}, in a course {has:?}"));
            }
        }
    }
    fail_with(&problems);
}
