//! The folder of records: one document a submission, `records/ID.json`.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::document::{self, ReadError};
use crate::model::{Grader, Record};

/// Longer names are cut: a file system takes 255 bytes, and there is more to a name than this.
const MOST_BYTES: usize = 120;

const EXTENSION: &str = "json";

/// A folder of records, one file for each submission: the one that was graded last.
#[derive(Debug, Clone)]
pub struct Folder {
    dir: PathBuf,
}

impl Folder {
    /// The records of the results at `out`; nothing is read or made yet.
    pub fn of(out: &Path) -> Self {
        Self { dir: out.join("records") }
    }

    /// The file of a submission.
    pub fn path(&self, submission: &str) -> PathBuf {
        self.dir.join(format!("{}.{EXTENSION}", file_stem(submission)))
    }

    /// Writes a record, whole or not at all.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made or written to.
    pub fn write(&self, grader: &Grader, record: &Record) -> io::Result<()> {
        let text = document::write_record(grader, record)?;
        fs::create_dir_all(&self.dir)?;
        replace(&self.path(&record.submission), text.as_bytes())
    }

    /// The record of a submission, and the grader that made it; `None` if there is none.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be read.
    pub fn read(&self, submission: &str) -> Result<Option<(Grader, Record)>, ReadError> {
        read(&self.path(submission))
    }

    /// All records in the order of their submissions' names, and the files that hold none.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be read.
    pub fn read_all(&self) -> io::Result<(Vec<Record>, Vec<PathBuf>)> {
        let (mut records, mut unread) = (Vec::new(), Vec::new());
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((records, unread)),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != EXTENSION) {
                continue;
            }
            match read(&path) {
                Ok(Some((_, record))) => records.push(record),
                Ok(None) => {}
                Err(_) => unread.push(path),
            }
        }
        records.sort_by(|one, other| one.submission.cmp(&other.submission));
        unread.sort();
        Ok((records, unread))
    }
}

/// Replaces a file's contents at once: whoever reads it sees the old ones or the new ones.
///
/// # Errors
///
/// When the file, or a new one beside it, cannot be written.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, contents)?;
    fs::rename(&new, path)
}

fn read(path: &Path) -> Result<Option<(Grader, Record)>, ReadError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ReadError::Json(serde_json::Error::io(error))),
    };
    document::read_record(&text).map(Some)
}

/// A submission's name as that of a file: what would lead elsewhere or be hidden is written as
/// `%` and its number, and no two names become one.
fn file_stem(name: &str) -> String {
    let mut stem = String::new();
    for (place, character) in name.chars().enumerate() {
        let hidden = place == 0 && matches!(character, '.' | '-');
        if hidden || character.is_control() || matches!(character, '/' | '\\' | '%') {
            // Writing to a string does not fail.
            write!(stem, "%{:02x}", u32::from(character)).ok();
        } else {
            stem.push(character);
        }
    }
    if stem.len() <= MOST_BYTES {
        return stem;
    }
    let mut cut = MOST_BYTES;
    while !stem.is_char_boundary(cut) {
        cut -= 1;
    }
    stem.truncate(cut);
    stem.push('%');
    for byte in Sha256::digest(name).iter().take(8) {
        write!(stem, "{byte:02x}").ok();
    }
    stem
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_name_leads_nowhere_else() {
        assert_eq!(file_stem("amara okafor"), "amara okafor");
        assert_eq!(file_stem("../amara"), "%2e.%2famara");
        assert_eq!(file_stem("a\0b\n"), "a%00b%0a");
        assert_eq!(file_stem("100%"), "100%25");
        assert_eq!(file_stem("é.b"), "é.b");
    }

    #[test]
    fn long_names_stay_apart_and_short_enough() {
        let names = ["é".repeat(120), "é".repeat(121), "a".repeat(250), "a".repeat(251)];
        let stems: BTreeSet<String> = names.iter().map(|name| file_stem(name)).collect();
        assert_eq!(stems.len(), names.len());
        assert!(stems.iter().all(|stem| stem.len() < 140));
    }
}
