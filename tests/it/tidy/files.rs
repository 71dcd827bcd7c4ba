//! Files are short and documented, and no test is skipped.

use crate::tidy::{code, fail_with, sources};

/// Most lines of code in a file, tests apart.
const MAX_LINES: usize = 400;

#[test]
fn files_are_short_and_documented_and_skip_no_test() {
    let mut problems = Vec::new();
    for folder in ["src", "crates", "labs", "assignments", "solutions", "tests"] {
        for (name, text) in sources(folder) {
            let lines = code(&text).len();
            if lines > MAX_LINES && !name.starts_with("tests/") {
                problems.push(format!("{name}: {lines} lines of code, at most {MAX_LINES}"));
            }
            if !text.starts_with("//!") {
                problems.push(format!("{name}: does not begin with documentation of the file"));
            }
            if ["[should_panic", "[ignore"].iter().any(|it| text.contains(&format!("#{it}"))) {
                problems.push(format!("{name}: a test that is skipped or that expects a panic"));
            }
        }
    }
    fail_with(&problems);
}
