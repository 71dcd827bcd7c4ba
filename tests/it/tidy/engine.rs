//! The engine names no assignment, no task and no mistake.

use std::collections::BTreeSet;

use crate::support::exams::suites;
use crate::tidy::crates::ours;
use crate::tidy::{code, fail_with, sources};

/// Folders of the engine, which grades any assignment.
const ENGINE: [&str; 9] = [
    "src",
    "crates/softmark-checks",
    "crates/softmark-exam",
    "crates/softmark-sandbox",
    "crates/softmark-sources",
    "crates/softmark-student",
    "crates/softmark-untrusted",
    "crates/softmark-wire",
    "crates/softmark-worker",
];

/// Files with words that are the id of a task by chance: the label of a row in the report, a phase of grading, a kind
/// of reply, a keyword of Rust, and words of MathML and LaTeX.
const BY_CHANCE: [(&str, &str); 8] = [
    ("src/pipeline/timings.rs", "\"diagnosis\""),
    ("src/report/terminal/submission.rs", "\"detectors\""),
    ("crates/softmark-checks/src/subject.rs", "\"detectors\""),
    ("crates/softmark-checks/src/source/token.rs", "\"loop\""),
    ("crates/softmark-sources/src/names.rs", "\"loop\""),
    ("src/similar/tokens.rs", "\"loop\""),
    ("src/release/math/mathml.rs", "\"prefix\""),
    ("src/release/math/symbols.rs", "\"partial\""),
];

#[test]
fn the_engine_names_no_assignment_task_or_mistake() {
    let mut names = BTreeSet::new();
    for suite in suites() {
        names.insert(suite.id);
        names.extend((suite.checks)().iter().map(|entry| entry.check.task()));
        names.extend((suite.mistakes)().iter().map(|mistake| mistake.id));
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let crates = ours();
    let of_assignments = crates.iter().filter(|name| !name.starts_with("softmark_"));
    let names: Vec<String> = of_assignments.map(|name| format!("{name}::")).chain(quoted).collect();
    let mut problems = Vec::new();
    for (name, text) in ENGINE.iter().flat_map(|folder| sources(folder)) {
        if name == "src/main.rs" || name.contains("/tests/") {
            continue;
        }
        let code = code(&text).join("\n");
        let found = names.iter().filter(|it| code.contains(it.as_str()));
        let found = found.filter(|found| !BY_CHANCE.contains(&(name.as_str(), found.as_str())));
        problems.extend(found.map(|found| format!("{name}: names {found}")));
    }
    fail_with(&problems);
}
