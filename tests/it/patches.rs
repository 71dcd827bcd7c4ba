//! The patches beside the solutions: what they make of a file is formatted Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use softmark::fixtures::{self, Fixture};
use softmark::suite::SUITES;

use crate::support::pack::HOME;

/// Every source file that a patch changes, written below a folder.
fn patched_files(folder: &Path) -> Vec<PathBuf> {
    let home = Path::new(HOME);
    let mut written = Vec::new();
    for suite in SUITES {
        let solution = fixtures::solution(home, suite.id).unwrap().source;
        for read in [fixtures::variants, fixtures::mutants] {
            for Fixture { name, source, .. } in read(home, suite.id).unwrap() {
                let folder = folder.join(suite.id).join(name);
                fs::create_dir_all(&folder).unwrap();
                for (file, text) in source {
                    if solution.get(&file) != Some(&text) {
                        let path = folder.join(file);
                        fs::write(&path, text).unwrap();
                        written.push(path);
                    }
                }
            }
        }
    }
    written
}

#[test]
#[expect(clippy::disallowed_methods, reason = "rustfmt needs no sandbox")]
fn what_patches_make_of_a_file_is_formatted() {
    let folder = tempfile::tempdir().unwrap();
    let files = patched_files(folder.path());
    assert!(!files.is_empty());
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--check", "--config-path", HOME]).args(files);
    let output = rustfmt.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "\n{told}\n{errors}");
}
