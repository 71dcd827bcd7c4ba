//! Tests that the code keeps to ARCHITECTURE.md: order of modules, dependencies between crates, size and
//! documentation of files, imports, shapes.

mod crates;
mod engine;
mod escapes;
mod files;
mod imports;
mod modules;
mod preludes;
mod profiles;
mod shape;
mod shared;
mod systems;

use std::fs;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every `.rs` file below a folder of the project, in the order of their paths.
pub(crate) fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let name = path.strip_prefix(root()).unwrap().display().to_string();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The lines before a file's tests that are neither empty nor comments.
fn code(text: &str) -> Vec<&str> {
    let before_tests = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    let lines = before_tests.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect()
}

fn fail_with(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}
