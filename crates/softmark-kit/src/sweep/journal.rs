//! Running trials, and the file that remembers them.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::sweep::outcomes::{Outcome, Outcomes};
use crate::sweep::trial::{Trial, TrialError, TrialResult};

/// Why a sweep ended.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The disk says no.
    #[error("{}: {source}", path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A line of the journal is no trial's.
    #[error(
        "{}, line {line}: this is no outcome of a trial ({reason}); mend the line or remove it",
        path.display()
    )]
    Line {
        /// The journal.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What it is instead.
        reason: String,
    },
    /// A trial failed.
    #[error("trial {id} ({settings}): {source}; trials before it are kept")]
    Trial {
        /// Which.
        id: usize,
        /// What it tried.
        settings: String,
        /// What went wrong.
        source: TrialError,
    },
}

/// Runs trials and writes what came of each into a journal: a line of JSON a trial, as soon as it is
/// known.
///
/// A sweep that was interrupted goes on where it was. A trial whose settings the journal has is not
/// run again, whatever its number was; the last line, torn where a process was killed, is dropped.
#[derive(Debug, Clone)]
pub struct Sweep {
    path: PathBuf,
}

impl Sweep {
    /// A sweep with its journal at `path`, which need not exist yet.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Runs every trial whose settings are new, in order; returns what came of all of them, those
    /// of earlier runs included. Two trials with the same settings are run once.
    ///
    /// # Errors
    ///
    /// When a trial fails, or the journal cannot be read or written.
    pub fn run(
        &self,
        trials: &[Trial],
        mut run: impl FnMut(&Trial) -> Result<TrialResult, TrialError>,
    ) -> Result<Outcomes, SweepError> {
        let mut known: BTreeMap<String, TrialResult> =
            self.read()?.into_iter().map(|it| (it.trial.key(), it.result)).collect();
        let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
        for trial in trials {
            let key = trial.key();
            let result =
                match known.get(&key) {
                    Some(result) => *result,
                    None => run(trial).map(TrialResult::kept).map_err(|source| {
                        SweepError::Trial { id: trial.id, settings: trial.shown(), source }
                    })?,
                };
            let outcome = Outcome { trial: trial.clone(), result };
            if known.insert(key.clone(), result).is_none() {
                self.append(&outcome)?;
            }
            outcomes.entry(key).or_insert(outcome);
        }
        Ok(Outcomes::new(outcomes.into_values().collect()))
    }

    /// The outcomes in the journal, in its order; a last line without its end is cut off from the
    /// file, so that the next one begins a line.
    fn read(&self) -> Result<Vec<Outcome>, SweepError> {
        let bytes = match fs::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.map_err(|error| self.failed(error))?,
        };
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            let file = OpenOptions::new().write(true).open(&self.path);
            file.and_then(|it| it.set_len(whole as u64)).map_err(|error| self.failed(error))?;
        }
        let mut outcomes = Vec::new();
        let lines = bytes.get(..whole).unwrap_or_default().split(|&byte| byte == b'\n');
        for (line, text) in (1..).zip(lines) {
            if text.trim_ascii().is_empty() {
                continue;
            }
            outcomes.push(serde_json::from_slice(text).map_err(|error| SweepError::Line {
                path: self.path.clone(),
                line,
                reason: error.to_string(),
            })?);
        }
        Ok(outcomes)
    }

    /// A line in one write, on the disk before the next trial begins.
    fn append(&self, outcome: &Outcome) -> Result<(), SweepError> {
        let line =
            serde_json::to_string(outcome).map_err(|error| self.failed(error.into()))? + "\n";
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        file.and_then(|mut file| file.write_all(line.as_bytes()).and_then(|()| file.sync_all()))
            .map_err(|error| self.failed(error))
    }

    fn failed(&self, source: io::Error) -> SweepError {
        SweepError::Io { path: self.path.clone(), source }
    }
}
