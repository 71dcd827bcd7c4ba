//! Paths of the submissions of a run, and how their names were read.

use std::path::{Path, PathBuf};

use rusqlite::{Row, params};

use super::database::Store;
use super::error::StoreError;
use super::run_id::RunId;

/// Path that a run was given.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Input {
    /// Absolute path of a submission, or of a folder of submissions.
    pub path: PathBuf,
    /// Assignment, if the user had to name it.
    pub assignment: Option<String>,
    /// Pattern of the names of submissions, if one was given.
    pub names: Option<String>,
}

impl Input {
    /// Returns the groups of consecutive paths that were given in one command.
    pub fn groups(inputs: &[Self]) -> impl Iterator<Item = &[Self]> {
        inputs.chunk_by(|one, other| {
            (&one.names, &one.assignment) == (&other.names, &other.assignment)
        })
    }
}

impl Store {
    /// Adds the paths that a run was given.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written, or the run has inputs already.
    pub fn add_inputs(&mut self, run: RunId, inputs: &[Input]) -> Result<(), StoreError> {
        let path = self.path.clone();
        let failed = |source| StoreError::of(&path, source);
        let transaction = self.connection.transaction().map_err(failed)?;
        for (position, input) in (0_i64..).zip(inputs) {
            transaction
                .execute(
                    "INSERT INTO inputs (run_id, position, path, assignment, names) \
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![
                        run.number(),
                        position,
                        written(&input.path),
                        input.assignment,
                        input.names
                    ],
                )
                .map_err(failed)?;
        }
        transaction.commit().map_err(failed)
    }

    /// Returns the paths that a run was given; none if an older grader made the run.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn inputs(&self, run: RunId) -> Result<Vec<Input>, StoreError> {
        self.rows(
            "SELECT path, assignment, names FROM inputs WHERE run_id = ?1 ORDER BY position",
            [run.number()],
            input,
        )
    }
}

/// Returns the text of a path. A path that is not Unicode is stored as far as it is; it is not found again.
fn written(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn input(row: &Row<'_>) -> rusqlite::Result<Input> {
    let path: String = row.get(0)?;
    Ok(Input { path: path.into(), assignment: row.get(1)?, names: row.get(2)? })
}
