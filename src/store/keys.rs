//! Keys of results: what a record, and each check in it, was graded with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Record;

/// Keys of a check's result. They are hashes of all that decides it but the submission's files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckKeys {
    /// Key of the result.
    pub check: String,
    /// Key of the mistake that is named; `None` if none was looked for.
    pub mistake: Option<String>,
}

/// Keys of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordKeys {
    /// Hash of everything that determines the record; empty if it is not reused.
    pub record: String,
    /// Keys of the checks, by their ids; none if their results are reused all together or not at all.
    pub checks: BTreeMap<String, CheckKeys>,
}

impl RecordKeys {
    /// Returns the keys of a record that is reused as a whole.
    pub fn whole(record: &str) -> Self {
        Self { record: record.to_owned(), checks: BTreeMap::new() }
    }
}

/// Record with the keys of its checks.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyedRecord {
    /// The record.
    pub record: Record,
    /// Keys of its checks, by their ids.
    pub checks: BTreeMap<String, CheckKeys>,
}
