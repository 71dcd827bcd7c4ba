//! Folders of results below another one: `results/ID` for each assignment, as the manual advises.

use std::fs;
use std::path::{Path, PathBuf};

use crate::store::{Folder, LEDGER};

/// Most folders that a hint names.
const MOST_NAMED: usize = 8;

/// Returns advice to use a folder below `out` that has a record of the submission; `None` if there is none.
pub(crate) fn with_record(submission: &str, out: &Path) -> Option<String> {
    let has_record = |folder: &Path| Folder::of(folder).path(submission).is_file();
    advice(&below(out, &has_record), "there is a record of it")
}

/// Returns advice to use a folder below `out` that has a ledger; `None` if there is none.
pub(crate) fn with_ledger(out: &Path) -> Option<String> {
    let has_ledger = |folder: &Path| folder.join(LEDGER).is_file();
    advice(&below(out, &has_ledger), "there is a ledger")
}

/// Returns the folders in `out` for which `is_it` holds, in the order of their names.
fn below(out: &Path, is_it: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(out).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.retain(|folder| folder.is_dir() && is_it(folder));
    folders.sort();
    folders
}

fn advice(folders: &[PathBuf], what: &str) -> Option<String> {
    let named = |folder: &PathBuf| folder.display().to_string();
    let first = named(folders.first()?);
    let names: Vec<String> = folders.iter().take(MOST_NAMED).map(named).collect();
    let more = folders.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let such = if folders.len() > 1 { ", for example" } else { "" };
    Some(format!("{what} in {}{more}: add{such} `--out {first}`", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_assignments_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path();
        assert_eq!(with_ledger(out), None);
        for (folder, file) in
            [("b", LEDGER), ("a", LEDGER), ("a/records", "amara.json"), ("c", "x")]
        {
            fs::create_dir_all(out.join(folder)).unwrap();
            fs::write(out.join(folder).join(file), "").unwrap();
        }
        let shown =
            |advice: Option<String>| advice.unwrap().replace(&format!("{}/", out.display()), "");
        assert_eq!(
            shown(with_ledger(out)),
            "there is a ledger in a, b: add, for example `--out a`"
        );
        assert_eq!(shown(with_record("amara", out)), "there is a record of it in a: add `--out a`");
        assert_eq!(with_record("bao", out), None);
    }
}
