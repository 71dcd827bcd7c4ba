//! Folder of records: one document per submission, `records/ID.json`.

use std::fmt::Write as _;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::document::{self, ReadError};
use crate::clock::Clock;
use crate::model::{Grader, Record};

/// Most bytes of a submission's name in the name of a file; the rest is replaced by a hash. File systems allow
/// 255 bytes, with the hash and the extension.
const MOST_BYTES: usize = 120;

const EXTENSION: &str = "json";

/// Permissions of a new file, as far as the user's mask leaves them.
const MODE: u32 = 0o666;

/// Beginning and end of the name of a file that is not complete yet.
const NEW_PREFIX: &str = ".";
const NEW_SUFFIX: &str = ".new";

/// Longest wait for another grader that is writing: a thousand times the time for one record.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(5);

/// Lock of a folder of results, which is released when it is dropped.
#[derive(Debug)]
pub struct Held {
    _lock: File,
    /// False on a file system without locks, where another grader may be writing.
    is_alone: bool,
}

/// Folder with the latest record of each submission.
#[derive(Debug, Clone)]
pub struct Folder {
    dir: PathBuf,
    /// Lock file of the writers.
    lock: PathBuf,
}

impl Folder {
    /// Creates the handle of the records below `out`; reads and writes nothing.
    pub fn of(out: &Path) -> Self {
        Self { dir: out.join("records"), lock: out.join(".lock") }
    }

    /// Returns the path of a submission's record.
    pub fn path(&self, submission: &str) -> PathBuf {
        self.dir.join(format!("{}.{EXTENSION}", file_stem(submission)))
    }

    /// True if there is a file of a record.
    pub fn has_records(&self) -> bool {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|path| is_record(&path))
    }

    /// Writes a record atomically.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written.
    pub fn write(&self, grader: &Grader, record: &Record) -> io::Result<()> {
        fs::create_dir_all(&self.dir)?;
        self.write_held(&self.hold()?, grader, record)
    }

    /// Writes a record atomically while the caller holds the folder, so that what the caller read is what it replaces.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written.
    pub fn write_held(&self, _: &Held, grader: &Grader, record: &Record) -> io::Result<()> {
        let text = document::write_record(grader, record)?;
        fs::create_dir_all(&self.dir)?;
        replace(&self.path(record.submission.as_raw()), text.as_bytes())
    }

    /// Locks the results against other graders until the returned lock is dropped. Hold the lock while you read records and
    /// write a file that is made of them.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written, or another grader does not release the lock.
    pub fn hold(&self) -> io::Result<Held> {
        let lock = File::options().create(true).truncate(false).write(true).open(&self.lock);
        let lock = lock.map_err(not_held)?;
        let clock = Clock::start();
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(Held { _lock: lock, is_alone: true }),
                Err(TryLockError::WouldBlock) if clock.elapsed() < PATIENCE => {
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::new(
                        io::ErrorKind::ResourceBusy,
                        "another grader is writing there and does not finish",
                    ));
                }
                // Not every file system has locks; two graders at once are then on their own.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Held { _lock: lock, is_alone: false });
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    /// Removes the incomplete records that graders left which were killed while they wrote one.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be read or written, or another grader does not release the lock.
    pub fn remove_leftovers(&self) -> io::Result<()> {
        if !self.dir.exists() || leftovers(&self.dir)?.is_empty() {
            return Ok(());
        }
        // While this grader has the lock no other one writes, so the files that are left belong to none that runs.
        let held = self.hold()?;
        if !held.is_alone {
            return Ok(());
        }
        leftovers(&self.dir)?.into_iter().try_for_each(fs::remove_file)
    }

    /// Reads the record of a submission, and the grader that made it; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the record exists and cannot be read.
    pub fn read(&self, submission: &str) -> Result<Option<(Grader, Record)>, ReadError> {
        read(&self.path(submission))
    }

    /// Reads all records in the order of their submissions' names; also returns the files that are not
    /// records.
    ///
    /// # Errors
    ///
    /// Fails if the folder exists and cannot be read.
    pub fn read_all(&self) -> io::Result<(Vec<Record>, Vec<PathBuf>)> {
        let mut records = Vec::new();
        let unread = self.for_each(&mut |record| records.push(record))?;
        records.sort_by(|one, other| one.submission.cmp(&other.submission));
        Ok((records, unread))
    }

    /// Visits all records, one in memory at a time, in the order of their files' names; returns the files that are not
    /// records.
    ///
    /// # Errors
    ///
    /// Fails if the folder exists and cannot be read.
    pub fn for_each(&self, visit: &mut dyn FnMut(Record)) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry?.path());
        }
        paths.retain(|path| is_record(path));
        paths.sort();
        let mut unread = Vec::new();
        for path in paths {
            match read(&path) {
                Ok(Some((_, record))) => visit(record),
                Ok(None) => {}
                Err(_) => unread.push(path),
            }
        }
        Ok(unread)
    }
}

/// Returns the error of a lock that cannot be had.
fn not_held(error: io::Error) -> io::Error {
    let kind = error.kind();
    if matches!(kind, io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) {
        return io::Error::new(kind, "you may only read this folder");
    }
    error
}

/// Replaces the contents of a file atomically: a reader sees the old contents or the new ones, also after a
/// power failure. If two write at the same time, the contents of the later one stay. A link is replaced and not followed.
///
/// # Errors
///
/// Fails if the file, or the temporary file beside it, cannot be written.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    replace_with(path, contents, Permissions::from_mode(MODE))
}

/// Replaces the contents of a file as [`replace`] does; the file gets these permissions, as far as the user's mask leaves them.
///
/// # Errors
///
/// Fails if the file, or the temporary file beside it, cannot be written.
pub fn replace_with(path: &Path, contents: &[u8], permissions: Permissions) -> io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A part of a file is nothing to keep; on a full disk it takes the room of what is. So it is removed when it is dropped.
    let mut new = tempfile::Builder::new()
        .prefix(NEW_PREFIX)
        .suffix(NEW_SUFFIX)
        .permissions(permissions)
        .tempfile_in(folder)?;
    new.write_all(contents)?;
    new.as_file().sync_all()?;
    new.persist(path)?;
    Ok(())
}

/// Returns the files of a folder that are incomplete, or were when their writer was killed.
fn leftovers(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(NEW_PREFIX.as_bytes()) && name.ends_with(NEW_SUFFIX.as_bytes()) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// True if a file has the name of a record.
fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
}

fn read(path: &Path) -> Result<Option<(Grader, Record)>, ReadError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ReadError::Json(serde_json::Error::io(error))),
    };
    document::read_record(&text).map(Some)
}

/// Returns the name of a submission's file without its extension. Characters that would lead to another folder
/// or hide the file are written as `%` and their number, so different names stay different.
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
    use std::os::unix::fs::symlink;

    use super::*;

    /// A link in a folder of results could lead to any file of the user.
    #[test]
    fn a_link_in_the_place_of_a_record_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [other, record] = ["other", "amara.json"].map(|name| folder.path().join(name));
        fs::write(&other, "kept").unwrap();
        symlink(&other, &record).unwrap();
        replace(&record, b"new").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "kept");
        assert_eq!(fs::read_to_string(&record).unwrap(), "new");
        assert!(!record.is_symlink());
    }

    /// The file of a submission whose name begins with a full stop has another name, so no record looks like a leftover.
    #[test]
    fn leftovers_of_a_killed_grader_are_removed_and_nothing_else() {
        let out = tempfile::tempdir().unwrap();
        let folder = Folder::of(out.path());
        folder.remove_leftovers().unwrap();
        assert!(!out.path().join(".lock").exists(), "without records there is nothing to lock");
        let records = out.path().join("records");
        fs::create_dir(&records).unwrap();
        for name in [".a1b2c3.new", "amara.json", "old.new", ".hidden"] {
            fs::write(records.join(name), "{").unwrap();
        }
        fs::write(folder.path(".odd.new"), "{").unwrap();
        fs::write(out.path().join(".other.new"), "of another command").unwrap();
        folder.remove_leftovers().unwrap();
        let entries = fs::read_dir(&records).unwrap();
        let left: BTreeSet<_> = entries.map(|it| it.unwrap().file_name()).collect();
        let kept = ["%2eodd.new.json", ".hidden", "amara.json", "old.new"];
        assert_eq!(left, kept.map(Into::into).into());
        assert!(out.path().join(".other.new").exists(), "others may be writing beside the records");
    }

    /// Two commands may write one file, such as that of `--out`, at the same time.
    #[test]
    fn a_file_is_replaced_whole_by_whoever_is_last() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("o.csv");
        let texts: Vec<String> = (0..8).map(|at| format!("{at}\n").repeat(10_000)).collect();
        thread::scope(|scope| {
            for text in &texts {
                scope.spawn(|| replace(&path, text.as_bytes()).unwrap());
            }
        });
        let last = fs::read_to_string(&path).unwrap();
        assert!(texts.contains(&last));
        let names = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["o.csv"], "no temporary file is left");
        let direct = folder.path().join("direct");
        fs::write(&direct, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&direct), "others may read it");
        assert!(replace(&folder.path().join("none/o.csv"), b"").is_err());
    }

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
