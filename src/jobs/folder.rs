//! Folder of a run, which all processes of the run share.
//!
//! ```text
//! runs/2026-11-27T03-51-35Z/
//!   run.json          what all chunks have in common
//!   chunks/1.json     submissions of a chunk
//!   results/1.json    their records; complete or absent
//!   logs/1.txt        output of the chunk's last job
//!   batches/1.json    chunks that were submitted together, and the engine's id of their job
//! ```

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::jobs::error::JobsError;

/// Folders of a run's folder.
const FOLDERS: [&str; 4] = ["chunks", "results", "logs", "batches"];

/// Name of the file with what all chunks have in common.
const RUN: &str = "run.json";

/// Folder of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Creates a folder in the folder `parent` with the name `name`, or a number behind it if that is taken.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be created.
    pub fn create(parent: &Path, name: &str) -> Result<Self, JobsError> {
        fs::create_dir_all(parent).map_err(JobsError::io("make", parent))?;
        let parent = parent.canonicalize().map_err(JobsError::io("find", parent))?;
        for number in 1_u32.. {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let path = parent.join(format!("{name}{suffix}"));
            // Submissions are named in it: it is for the user alone.
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    for folder in FOLDERS {
                        let folder = path.join(folder);
                        fs::create_dir(&folder).map_err(JobsError::io("make", &folder))?;
                    }
                    return Ok(Self { path });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(JobsError::io("make", &path)(error)),
            }
        }
        let taken = io::Error::from(ErrorKind::AlreadyExists);
        Err(JobsError::io("make", &parent)(taken))
    }

    /// Returns the run's folder at `path`.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub fn open(path: &Path) -> Result<Self, JobsError> {
        let no_run = |_| JobsError::NoRun { path: path.to_owned() };
        let path = path.canonicalize().map_err(no_run)?;
        fs::metadata(path.join(RUN)).map_err(no_run)?;
        Ok(Self { path })
    }

    /// Returns the folder of the run that the chunk at `path` belongs to.
    ///
    /// # Errors
    ///
    /// Fails if it is in none.
    pub fn of_chunk(path: &Path) -> Result<Self, JobsError> {
        let no_run = |_| JobsError::NoRun { path: path.to_owned() };
        let path = path.canonicalize().map_err(no_run)?;
        let above = path.parent().and_then(Path::parent).unwrap_or(&path);
        Self::open(above)
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the file with what all chunks have in common.
    pub(super) fn run(&self) -> PathBuf {
        self.path.join(RUN)
    }

    /// Returns the path of a chunk's file.
    pub fn chunk(&self, number: u32) -> PathBuf {
        self.path.join(format!("chunks/{number}.json"))
    }

    /// Returns the path of a chunk's result.
    pub(super) fn result(&self, number: u32) -> PathBuf {
        self.path.join(format!("results/{number}.json"))
    }

    /// Returns the path of a batch's file.
    pub(super) fn batch(&self, number: u32) -> PathBuf {
        self.path.join(format!("batches/{number}.json"))
    }

    /// Returns the path of another file of a batch.
    pub(super) fn of_batch(&self, number: u32, ending: &str) -> PathBuf {
        self.path.join(format!("batches/{number}.{ending}"))
    }

    /// Returns the folder of the logs.
    pub(super) fn logs(&self) -> PathBuf {
        self.path.join("logs")
    }

    /// Returns the numbers of the files in a folder, in ascending order.
    pub(super) fn numbers(&self, folder: &str) -> Result<Vec<u32>, JobsError> {
        let path = self.path.join(folder);
        let entries = fs::read_dir(&path).map_err(JobsError::io("read", &path))?;
        let number = |path: PathBuf| -> Option<u32> {
            let is_json = path.extension().is_some_and(|it| it == "json");
            if is_json { path.file_stem()?.to_str()?.parse().ok() } else { None }
        };
        let mut numbers: Vec<u32> =
            entries.filter_map(|entry| number(entry.ok()?.path())).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// Writes a file that is complete or absent, whatever happens: under another name first, which no other process uses.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), JobsError> {
    let failed = |error| JobsError::io("write", path)(error);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut draft =
        tempfile::Builder::new().prefix(".").suffix(".new").tempfile_in(folder).map_err(failed)?;
    draft.write_all(bytes).and_then(|()| draft.as_file().sync_all()).map_err(failed)?;
    draft.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Writes a file as JSON that is complete or absent.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), JobsError> {
    let text =
        serde_json::to_string(value).map_err(|error| JobsError::io("write", path)(error.into()))?;
    write_whole(path, format!("{text}\n").as_bytes())
}

/// Reads a file of JSON.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, JobsError> {
    let text = fs::read(path).map_err(JobsError::io("read", path))?;
    serde_json::from_slice(&text)
        .map_err(|error| JobsError::Format { path: path.to_owned(), reason: error.to_string() })
}

/// Creates a file that the user may run.
pub(super) fn write_script(path: &Path, text: &str) -> Result<(), JobsError> {
    let opened: io::Result<File> =
        fs::OpenOptions::new().write(true).create_new(true).mode(0o700).open(path);
    let mut file = opened.map_err(JobsError::io("make", path))?;
    file.write_all(text.as_bytes()).map_err(JobsError::io("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_same_moment_have_different_names() {
        let dir = tempfile::tempdir().unwrap();
        let [a, b] = [1, 2].map(|_| RunFolder::create(&dir.path().join("runs"), "now").unwrap());
        assert!(a.path().ends_with("runs/now") && b.path().ends_with("runs/now-2"));
        assert!(RunFolder::open(a.path()).is_err(), "nothing says what the run is");
        write_json(&a.run(), &1).unwrap();
        assert_eq!(RunFolder::open(a.path()).unwrap(), a);
        write_json(&a.chunk(7), &1).unwrap();
        assert_eq!(RunFolder::of_chunk(&a.chunk(7)).unwrap(), a);
        write_json(&a.chunk(12), &1).unwrap();
        fs::write(a.path().join("chunks/.abc.new"), "").unwrap();
        assert_eq!(a.numbers("chunks").unwrap(), [7, 12]);
    }

    #[test]
    fn a_file_is_replaced_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("1.json");
        for value in [1, 2] {
            write_json(&path, &value).unwrap();
            assert_eq!(read_json::<u32>(&path).unwrap(), value);
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        fs::write(&path, "{").unwrap();
        assert!(matches!(read_json::<u32>(&path), Err(JobsError::Format { .. })));
    }
}
