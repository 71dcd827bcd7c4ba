//! Stamps: tell whether the results have changed since they were read.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::problem::Problem;
use crate::marks;
use crate::store::{LEDGER, Store};

/// State of the results at one moment. Two equal stamps are of the same state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Number that changes with each change of the ledger.
    ledger: i64,
    /// State of the file of marks; `None` if there is none.
    marks: Option<FileStamp>,
}

/// Size of a file, and the time at which it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileStamp {
    size: u64,
    seconds: i64,
    nanoseconds: i64,
}

impl FileStamp {
    /// Returns the stamp of a file; `None` if there is none.
    pub(super) fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let file = fs::metadata(path).ok()?;
        Some(Self { size: file.len(), seconds: file.mtime(), nanoseconds: file.mtime_nsec() })
    }
}

/// Watcher of the results. Its connection to the ledger changes nothing itself.
#[derive(Debug)]
pub(super) struct Watcher {
    store: Mutex<Store>,
    marks: PathBuf,
}

impl Watcher {
    /// Opens the ledger in the results at `out`.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be opened.
    pub(super) fn new(out: &Path) -> Result<Self, Problem> {
        let store = Mutex::new(Store::open(&out.join(LEDGER))?);
        Ok(Self { store, marks: out.join(marks::MARKS) })
    }

    /// Returns the stamp of now.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(super) fn stamp(&self) -> Result<Stamp, Problem> {
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Stamp { ledger: store.change_counter()?, marks: FileStamp::of(&self.marks) })
    }
}
