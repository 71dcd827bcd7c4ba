//! Students may use any system: crates that they get name nothing of Unix, but where they are compiled for it alone.

use crate::tidy::{code, fail_with, sources};

/// Crates and folders that students get.
const GIVEN: [&str; 10] = [
    "assignments",
    "crates/softmark-candle-nn",
    "crates/softmark-checks",
    "crates/softmark-common",
    "crates/softmark-instances",
    "crates/softmark-kit",
    "crates/softmark-plot",
    "crates/softmark-student",
    "crates/softmark-wire",
    "crates/softmark-worker",
];

/// Beginnings of paths that exist on some systems only.
const OF_UNIX: [&str; 6] =
    ["std::os::unix", "std::os::fd", "std::os::linux", " libc::", " nix::", " rustix::"];

/// Files that are compiled for Unix alone, because the module that declares them says so.
const FOR_UNIX: [&str; 2] =
    ["crates/softmark-worker/src/seal.rs", "crates/softmark-worker/src/serve.rs"];

/// Returns what a file names of Unix without a `#[cfg(…)]` in one of the ten lines before.
fn of_unix(text: &str) -> Vec<String> {
    let lines = code(text);
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let is_gated =
            || lines[at.saturating_sub(10)..at].iter().any(|it| it.contains("#[cfg(unix)]"));
        let named = OF_UNIX.iter().filter(|path| line.contains(**path));
        found.extend(named.filter(|_| !is_gated()).map(|path| (*path).to_owned()));
    }
    found
}

#[test]
fn what_students_get_names_nothing_of_unix() {
    let mut problems = Vec::new();
    for (name, text) in GIVEN.iter().flat_map(|folder| sources(folder)) {
        let is_test = ["/tests/", "/benches/"].iter().any(|folder| name.contains(folder));
        if !is_test && !FOR_UNIX.contains(&name.as_str()) {
            problems.extend(of_unix(&text).into_iter().map(|path| format!("{name}: {path}")));
        }
    }
    fail_with(&problems);
    let worker =
        std::fs::read_to_string(crate::tidy::root().join("crates/softmark-worker/src/lib.rs"))
            .unwrap();
    for module in ["seal", "serve"] {
        assert!(
            worker.contains(&format!("#[cfg(unix)]\nmod {module};")),
            "{module} is for Unix alone"
        );
    }
}

#[test]
fn the_test_notices_what_is_not_gated() {
    assert_eq!(of_unix("use std::os::fd::AsFd;"), ["std::os::fd"]);
    assert_eq!(of_unix("#[cfg(unix)]\nuse std::os::fd::AsFd;"), [""; 0]);
}
