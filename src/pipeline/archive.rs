//! Where records are kept as soon as they are there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::clock;
use crate::marks::{Marks, MarksError};
use crate::model::{Grader, Record};
use crate::store::{Folder, RunId, Store, StoreError};

/// The name of the database in the folder of results.
const DATABASE: &str = "softmark.db";

/// A folder of results, open for one run: the database, and a document for each submission.
#[derive(Debug)]
pub struct Archive {
    store: Store,
    run: RunId,
    folder: Folder,
    out: PathBuf,
    grader: Grader,
}

/// Records cannot be kept.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The folder of results cannot be made.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A record cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Record {
        /// Its file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The marks that people gave cannot be used.
    #[error(transparent)]
    Marks(#[from] MarksError),
}

impl Archive {
    /// Opens the results at `out`, and makes them where there are none.
    ///
    /// # Errors
    ///
    /// When the folder, its database or the marks in it cannot be read or written.
    pub fn open(out: &Path, grader: &Grader) -> Result<Self, ArchiveError> {
        fs::create_dir_all(out)
            .map_err(|source| ArchiveError::Folder { path: out.to_owned(), source })?;
        let mut store = Store::open(&out.join(DATABASE))?;
        let run = store.begin_run(grader, &clock::now())?;
        // What is wrong there is better said before anything is graded.
        Marks::read(out)?;
        let folder = Folder::of(out);
        Ok(Self { store, run, folder, out: out.to_owned(), grader: grader.clone() })
    }

    /// The record that an earlier run kept under `key`.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn cached(&self, key: &str) -> Result<Option<Record>, ArchiveError> {
        Ok(self.store.cached(key)?)
    }

    /// Keeps a record, with the points that people gave for what is written in it.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or the marks not be read.
    pub fn keep(&mut self, key: &str, record: &mut Record) -> Result<(), ArchiveError> {
        self.store.save(self.run, key, record)?;
        Marks::read(&self.out)?.lay_on(record);
        self.folder.write(&self.grader, record).map_err(|source| {
            let path = self.folder.path(record.submission.as_raw());
            ArchiveError::Record { path, source }
        })
    }
}
