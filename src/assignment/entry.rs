//! What is known of an assignment.

use std::collections::BTreeMap;

use crate::model::{Points, Visibility};
use crate::sandbox::Limits;

/// A check of an assignment and what it is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckEntry {
    /// `task/check`.
    pub id: String,
    /// Points it can earn.
    pub points: Points,
    /// Whether students can read it.
    pub visibility: Visibility,
}

/// A task of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskEntry {
    /// `multi-head` and so on.
    pub id: String,
    /// For a person.
    pub title: String,
    /// The sum over its checks.
    pub points: Points,
    /// In the order in which they are reported.
    pub checks: Vec<CheckEntry>,
}

/// An assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// `attention` and so on: the name of its folder.
    pub id: String,
    /// For a person.
    pub title: String,
    /// The sum over its tasks.
    pub points: Points,
    /// In the order in which they build on one another.
    pub tasks: Vec<TaskEntry>,
    /// The files that are taken from a submission, as paths below `src/`.
    pub collect: Vec<String>,
    /// The files that the grader puts in whatever a submission holds, with their contents.
    pub provided: BTreeMap<String, Vec<u8>>,
    /// What a worker may use.
    pub worker: Limits,
    /// SHA-256 of `assignment.toml` and the provided files, in hexadecimal.
    pub sha256: String,
}
