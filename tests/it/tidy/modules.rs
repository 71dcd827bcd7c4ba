//! The grader's modules use only those before them, and the architecture page names them all.

use std::fs;

use crate::tidy::{code, fail_with, root, sources};

/// The grader's modules; each uses only those before it.
const ORDER: [&str; 32] = [
    "model",
    "clock",
    "digest",
    "spreadsheet",
    "course",
    "assignment",
    "scaffold",
    "intake",
    "build",
    "session",
    "suite",
    "diagnose",
    "examine",
    "score",
    "store",
    "marking",
    "marks",
    "overrides",
    "pipeline",
    "jobs",
    "fixtures",
    "calibrate",
    "report",
    "ledger",
    "results",
    "statistics",
    "release",
    "package",
    "audit",
    "similar",
    "serve",
    "cli",
];

/// The module below `src/` that a file belongs to; `None` for `main.rs` and `lib.rs`.
fn module_of(name: &str) -> Option<&str> {
    let inside = name.strip_prefix("src/")?;
    let module = inside.split('/').next()?.trim_end_matches(".rs");
    (!["main", "lib"].contains(&module)).then_some(module)
}

/// The grader's modules that a line names as `crate::module`, groups in braces included.
fn named_modules(line: &str) -> Vec<&str> {
    line.split("crate::")
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""))
        .collect()
}

fn modules_used_too_early(name: &str, text: &str) -> Vec<String> {
    let place = |module: &str| ORDER.iter().position(|it| *it == module);
    let Some(module) = module_of(name) else { return Vec::new() };
    let Some(own) = place(module) else {
        return vec![format!("{name}: the module `{module}` has no place in ORDER")];
    };
    code(text)
        .into_iter()
        .flat_map(named_modules)
        .filter(|used| place(used).is_some_and(|at| at > own))
        .map(|used| format!("{name}: `{module}` uses `{used}`, which comes after it"))
        .collect()
}

#[test]
fn modules_use_only_earlier_ones() {
    let problems: Vec<String> =
        sources("src").iter().flat_map(|(name, text)| modules_used_too_early(name, text)).collect();
    fail_with(&problems);
}

#[test]
fn a_module_that_uses_a_later_one_is_noticed() {
    let text = "//! Doc.\nuse crate::report::write;\n";
    assert_eq!(modules_used_too_early("src/model/points.rs", text).len(), 1);
    assert_eq!(modules_used_too_early("src/cli/run.rs", text).len(), 0);
    assert_eq!(modules_used_too_early("src/novel.rs", text).len(), 1);
}

#[test]
fn lib_lists_modules_in_their_order() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let listed: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert_eq!(listed, ORDER);
}

#[test]
fn main_is_thin() {
    let main = fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 25, "src/main.rs has {} lines", main.lines().count());
}

#[test]
fn the_architecture_page_names_every_module_and_crate() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for module in ORDER {
        assert!(page.contains(&format!("| `{module}` |")), "ARCHITECTURE.md lacks `{module}`");
        let path = root().join("src").join(module);
        assert!(path.is_dir() || path.with_extension("rs").is_file(), "there is no `{module}`");
    }
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(page.contains(&format!("`{name}`")), "ARCHITECTURE.md lacks `{name}`");
    }
}
