//! Running of trials, and the journal of their results.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::sweep::outcomes::{Outcome, Outcomes};
use crate::sweep::trial::{Trial, TrialError, TrialResult};

/// Errors of a sweep.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The journal cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the journal.
        path: PathBuf,
        /// Underlying error.
        source: io::Error,
    },
    /// A line of the journal is not the outcome of a trial.
    #[error(
        "{}, line {line}: this is no outcome of a trial ({reason}); mend the line or remove it",
        path.display()
    )]
    Line {
        /// Path of the journal.
        path: PathBuf,
        /// Number of the line, counted from 1.
        line: usize,
        /// Reason of the error.
        reason: String,
    },
    /// A trial failed.
    #[error("trial {id} ({settings}): {source}; trials before it are kept")]
    Trial {
        /// Number of the trial.
        id: usize,
        /// Settings of the trial.
        settings: String,
        /// Underlying error.
        source: TrialError,
    },
}

/// Runs trials and appends the result of each to a journal, as one line of JSON, as soon as it is known.
///
/// An interrupted sweep resumes where it stopped. A trial whose settings are in the journal is not run again,
/// whatever its number; an incomplete last line, left by a killed process, is dropped.
#[derive(Debug, Clone)]
pub struct Sweep {
    path: PathBuf,
}

impl Sweep {
    /// Returns a sweep with its journal at `path`, which need not exist yet.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Runs every trial whose settings are new, in order; returns the outcomes of all trials, including those
    /// of earlier runs. Two trials with the same settings are run once.
    ///
    /// # Errors
    ///
    /// Fails if a trial fails, or the journal cannot be read or written.
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

    /// Returns the outcomes in the journal, in its order; an incomplete last line is removed from the file,
    /// so that the next outcome starts a line.
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

    /// Appends a line in one write, synced to disk before the next trial begins.
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
