//! Tests that the files which the patches of the solutions change are formatted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use softmark::fixtures::{self, Fixture};

use crate::support::exams::{project, suites};
use crate::support::pack::HOME;

/// Writes every source file that a patch changes below a folder, and returns their paths.
fn patched_files(folder: &Path) -> Vec<PathBuf> {
    let home = Path::new(HOME);
    let mut written = Vec::new();
    for suite in suites() {
        let solution = fixtures::solution(home, suite.id).unwrap();
        for read in [fixtures::variants, fixtures::mutants] {
            for fixture in read(project(), suite.id).unwrap() {
                let folder = folder.join(suite.id).join(&fixture.name);
                written.extend(write_changed(&fixture, &solution, &folder));
            }
        }
    }
    written
}

/// Writes the source files of a fixture that are not the solution's, and returns their paths.
fn write_changed(fixture: &Fixture, solution: &Fixture, folder: &Path) -> Vec<PathBuf> {
    fs::create_dir_all(folder).unwrap();
    let is_changed = |(name, text): &(&String, &Vec<u8>)| solution.source.get(*name) != Some(*text);
    let mut written = Vec::new();
    for (name, text) in fixture.source.iter().filter(is_changed) {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        written.push(path);
    }
    written
}

#[test]
#[expect(clippy::disallowed_methods, reason = "rustfmt needs no sandbox")]
fn patched_files_are_formatted() {
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
