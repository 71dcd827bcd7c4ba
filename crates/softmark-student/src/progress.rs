//! Progress: the latest state of each check, kept in the folder of the assignment.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::StudentError;
use crate::results::{CheckResult, State};

/// Folder and name of the file.
const FILE: &str = ".softmark/progress.json";

/// State and hints of each check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    checks: BTreeMap<String, Entry>,
}

/// State and hints of one check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// State when the check last ran.
    state: Option<Kept>,
    /// Number of hints shown.
    #[serde(default)]
    hints: usize,
}

/// State as the file has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kept {
    Right,
    Wrong,
    Unwritten,
}

impl From<State> for Kept {
    fn from(state: State) -> Self {
        match state {
            State::Right => Self::Right,
            State::Wrong => Self::Wrong,
            State::Unwritten => Self::Unwritten,
        }
    }
}

impl From<Kept> for State {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Right => Self::Right,
            Kept::Wrong => Self::Wrong,
            Kept::Unwritten => Self::Unwritten,
        }
    }
}

/// Ids of checks whose state has changed since they last ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Checks that pass and did not.
    pub(crate) newly_right: Vec<&'static str>,
    /// Checks that passed and do not.
    pub(crate) no_longer_right: Vec<&'static str>,
}

impl Progress {
    /// Reads the file in the folder `dir`. A file that cannot be understood is as good as none: it is written anew.
    pub(crate) fn read(dir: &Path) -> Self {
        let text = fs::read_to_string(dir.join(FILE)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Writes the file in the folder `dir`.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), StudentError> {
        let path: PathBuf = dir.join(FILE);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(StudentError::io("make", folder))?;
        }
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        fs::write(&path, text).map_err(StudentError::io("write", &path))
    }

    /// Returns the state of a check when it last ran.
    pub(crate) fn state(&self, id: &str) -> Option<State> {
        self.checks.get(id)?.state.map(State::from)
    }

    /// Takes over the results of checks, and returns what has changed.
    pub(crate) fn record(&mut self, results: &[CheckResult]) -> Changes {
        let mut changes = Changes::default();
        for result in results {
            let id = result.check.id;
            let entry = self.checks.entry(id.to_owned()).or_default();
            let (before, now) = (entry.state.map(State::from), result.state());
            match (before, now) {
                (Some(State::Right), State::Right) => {}
                (Some(State::Right), _) => changes.no_longer_right.push(id),
                (Some(_), State::Right) => changes.newly_right.push(id),
                _ => {}
            }
            entry.state = Some(now.into());
        }
        changes
    }

    /// Counts one more hint on a check, of `all`, and returns how many are to be shown.
    pub(crate) fn one_more_hint(&mut self, id: &str, all: usize) -> usize {
        let entry = self.checks.entry(id.to_owned()).or_default();
        entry.hints = (entry.hints + 1).min(all);
        entry.hints
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::{Check, Outcome};

    use super::*;

    static CHECK: Check = Check { id: "a/b", title: "it holds", run: |_, _| Ok(Outcome::Pass) };

    fn result(outcome: Outcome) -> CheckResult {
        CheckResult { check: &CHECK, points: 1.0, outcome, printed: Vec::new() }
    }

    #[test]
    fn changes_are_told_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let mut progress = Progress::read(dir.path());
        let unwritten = || result(Outcome::NotImplemented { message: "task 1".to_owned() });
        assert_eq!(progress.record(&[unwritten()]), Changes::default());
        progress.write(dir.path()).unwrap();
        let mut progress = Progress::read(dir.path());
        assert_eq!(progress.state("a/b"), Some(State::Unwritten));
        assert_eq!(progress.record(&[result(Outcome::Pass)]).newly_right, ["a/b"]);
        assert_eq!(progress.record(&[result(Outcome::Pass)]), Changes::default());
        assert_eq!(progress.record(&[unwritten()]).no_longer_right, ["a/b"]);
    }

    #[test]
    fn there_are_no_more_hints_than_all() {
        let mut progress = Progress::default();
        let shown: Vec<usize> = (0..5).map(|_| progress.one_more_hint("a/b", 3)).collect();
        assert_eq!(shown, [1, 2, 3, 3, 3]);
    }

    #[test]
    fn a_broken_file_is_written_anew() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".softmark")).unwrap();
        fs::write(dir.path().join(FILE), "{").unwrap();
        assert_eq!(Progress::read(dir.path()), Progress::default());
    }
}
