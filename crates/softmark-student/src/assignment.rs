//! The `assignment.toml` beside a student's code.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::limits::Limits;

/// Name of the file.
pub(crate) const FILE: &str = "assignment.toml";

/// Contents of the file, as far as students' checks need them; empty if there is no file, as in a solution.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Assignment {
    /// Id of the assignment.
    pub(crate) id: String,
    /// Title of the assignment.
    pub(crate) title: String,
    /// Files below `src/` that are handed in.
    pub(crate) collect: Vec<String>,
    /// Files below `src/` that the grader puts in.
    pub(crate) provided: Vec<String>,
    /// Files with written answers.
    pub(crate) answers: Vec<String>,
    /// Other files that are handed in, such as a trained model.
    pub(crate) upload: Vec<Upload>,
    /// Limits of each process.
    #[serde(rename = "worker")]
    pub(crate) limits: Limits,
    task: Vec<Task>,
}

/// File other than source text that is handed in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Upload {
    /// Name of the file.
    pub(crate) file: String,
    /// Largest size, in mebibytes.
    pub(crate) mebibytes: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Task {
    id: String,
    #[serde(default)]
    check: Vec<Check>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Check {
    id: String,
    points: f64,
}

impl Assignment {
    /// Reads the file in the folder `dir`.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be understood; the message is for the student.
    pub(crate) fn read(dir: &Path) -> Result<Self, String> {
        match std::fs::read_to_string(dir.join(FILE)) {
            Ok(text) => toml::from_str(&text).map_err(|error| format!("{FILE}: {error}")),
            Err(_) => Ok(Self::default()),
        }
    }

    /// True if the folder is that of an assignment.
    pub(crate) fn is_there(&self) -> bool {
        !self.id.is_empty()
    }

    /// Returns the points of each check by its id.
    pub(crate) fn points(&self) -> BTreeMap<String, f64> {
        let of_task = |task: &Task| {
            let id = task.id.clone();
            let named = move |check: &Check| (format!("{id}/{}", check.id), check.points);
            task.check.iter().map(named).collect::<Vec<_>>()
        };
        self.task.iter().flat_map(of_task).collect()
    }
}
