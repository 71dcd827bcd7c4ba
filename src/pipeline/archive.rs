//! Storage of records as they are produced.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::clock;
use crate::marks::{Marks, MarksError};
use crate::model::{Grader, Record};
use crate::overrides::Overrides;
use crate::store::{
    Folder, Input, KeyedRecord, LEDGER, RecordKeys, RunId, SavedVersion, Store, StoreError,
};

/// Folder of results, open for one run: the database, and a document for each submission.
#[derive(Debug)]
pub struct Archive {
    store: Store,
    run: RunId,
    /// Runs of earlier versions, by their numbers.
    earlier: Vec<RunId>,
    folder: Folder,
    out: PathBuf,
    grader: Grader,
}

/// Failure to store or load records.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The folder of results cannot be created.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// Path of the folder.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// A record cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Record {
        /// Path of the record's file.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file of marks cannot be used.
    #[error(transparent)]
    Marks(#[from] MarksError),
}

impl Archive {
    /// Opens the folder of results at `out` for a run that was given `inputs`, with at most `earlier` earlier versions of a
    /// submission; creates it if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if the folder, its database or the marks in it cannot be read or written.
    pub fn open(
        out: &Path,
        (grader, inputs): (&Grader, &[Input]),
        earlier: usize,
    ) -> Result<Self, ArchiveError> {
        fs::create_dir_all(out)
            .map_err(|source| ArchiveError::Folder { path: out.to_owned(), source })?;
        let mut store = Store::open(&out.join(LEDGER))?;
        let now = clock::now();
        let begin_earlier = |_| store.begin_run_of_earlier(grader, &now);
        let earlier = (0..earlier).map(begin_earlier).collect::<Result<_, _>>()?;
        let run = store.begin_run(grader, &now)?;
        store.add_inputs(run, inputs)?;
        // An invalid file of marks must be reported before anything is graded.
        Marks::read(out)?;
        let folder = Folder::of(out);
        // One that cannot be removed does no harm.
        folder.remove_leftovers().ok();
        Ok(Self { store, run, earlier, folder, out: out.to_owned(), grader: grader.clone() })
    }

    /// Returns the record that an earlier run stored under `key`.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn cached(&self, key: &str) -> Result<Option<KeyedRecord>, ArchiveError> {
        Ok(self.store.cached(key)?)
    }

    /// Returns the last records of these files whose checks have keys, the newest first.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn keyed(&self, sha256: &str, assignment: &str) -> Result<Vec<KeyedRecord>, ArchiveError> {
        Ok(self.store.keyed(sha256, assignment)?)
    }

    /// Returns the processor time that grading took when it was last measured, by submission.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn costs(&self) -> Result<BTreeMap<Untrusted, Duration>, ArchiveError> {
        Ok(self.store.costs()?)
    }

    /// Stores a record. If it is of the latest version of a submission, the document is written too, with the marks for its
    /// written answers and the overrides of its checks.
    ///
    /// # Errors
    ///
    /// Fails if the record cannot be written, or the marks or overrides cannot be read.
    pub fn keep(
        &mut self,
        version: SavedVersion,
        keys: &RecordKeys,
        record: &mut Record,
    ) -> Result<(), ArchiveError> {
        if let SavedVersion::Earlier(number) = version {
            let run = self.earlier.get(number).copied().unwrap_or(self.run);
            return Ok(self.store.save(run, keys, record)?);
        }
        self.store.save(self.run, keys, record)?;
        let path = self.folder.path(record.submission.as_raw());
        let unwritten = |source| ArchiveError::Record { path: path.clone(), source };
        // A decision of a person that comes meanwhile waits, and is laid on this record.
        let held = self.folder.hold().map_err(unwritten)?;
        Marks::of_submission(&self.out, &self.store, &record.submission)?.lay_on(record);
        Overrides::of(&self.store)?.lay_on(record);
        self.folder.write_held(&held, &self.grader, record).map_err(unwritten)
    }
}
