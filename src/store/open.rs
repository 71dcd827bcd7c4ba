//! Ways to open the database: for writing, and for reading.
//!
//! A reader changes nothing. It migrates no older database and selects no journal, and it leaves no files beside the database:
//! whoever may only read must be able to read, and must not get in the way of the one who writes.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags};
use nix::unistd::{AccessFlags, faccessat};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::database::Store;
use super::error::StoreError;
use super::folder::Folder;
use super::migrate::{is_older, migrate};

/// Longest wait for another grader that is writing.
const PATIENCE: Duration = Duration::from_secs(30);

/// Most attempts to copy a database that somebody else changes meanwhile.
const ATTEMPTS: usize = 10;

/// Number of times that an empty file is looked at again, and the pause before each.
const LOOKS: usize = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// Characters of a path that have a meaning in an address.
const IN_ADDRESS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');

impl Store {
    /// Opens the database at `path` for writing. It is created if it does not exist, and migrated if it is older.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged, belongs to another program or to a newer grader, is empty beside records, is locked by
    /// another grader for half a minute, or may not be read and written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_within(path, PATIENCE)
    }

    /// Opens the database at `path` as [`open`](Self::open) does; `None` if there is no file.
    ///
    /// # Errors
    ///
    /// Fails as [`open`](Self::open) does.
    pub fn open_existing(path: &Path) -> Result<Option<Self>, StoreError> {
        if path.try_exists().unwrap_or(true) { Self::open(path).map(Some) } else { Ok(None) }
    }

    /// Opens the database at `path` for reading; `None` if there is none. Nothing is changed by that, and no right to write is
    /// needed. An older database is not migrated: a private copy of it is.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged, belongs to another program or to a newer grader, is empty beside records, or may not be
    /// read; if a writer was interrupted and this user may not write; or if there is no room for a private copy that is needed.
    pub fn open_to_read(path: &Path) -> Result<Option<Self>, StoreError> {
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            // SQLite says what is wrong with a file that cannot be looked at.
            Ok(_) | Err(_) => refuse_lost(path)?,
        }
        if is_empty(path) {
            return Ok(None);
        }
        let failed = |source| StoreError::of(path, source);
        let mut connection = reader(path)?;
        if is_older(&connection, path)? {
            connection = private_copy(&connection).map_err(|source| uncopied(path, source))?;
            migrate(&mut connection, path)?;
        }
        connection.pragma_update(None, "query_only", true).map_err(failed)?;
        Ok(Some(Self { connection, path: path.to_owned() }))
    }

    fn open_within(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        if !may_write(path) {
            // A file that is not there is not what may be read.
            let path = if path.exists() { path.to_owned() } else { folder_of(path) };
            return Err(StoreError::ReadOnly { path });
        }
        let failed = |source| StoreError::of(path, source);
        refuse_lost(path)?;
        let mut connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(patience).map_err(failed)?;
        migrate(&mut connection, path)?;
        prefer_write_ahead(&connection).map_err(failed)?;
        // What was reported as saved survives a power failure too: each commit reaches the disk.
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
        Ok(Self { connection, path: path.to_owned() })
    }
}

/// Selects the write-ahead log, with which readers and a writer do not wait for one another.
///
/// Some file systems do not support it, and it cannot be selected while another grader uses the rollback
/// journal; SQLite then keeps the rollback journal, which is as safe.
fn prefer_write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    match connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(()),
        result => result,
    }
}

/// True if there is a file of no bytes.
fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() == 0)
}

/// Refuses a file of no bytes beside records: it is what is left of a database by a copy that failed. Without records it is what
/// a grader leaves that was killed while it made the database.
fn refuse_lost(path: &Path) -> Result<(), StoreError> {
    if !is_empty(path) || !Folder::of(&folder_of(path)).has_records() {
        return Ok(());
    }
    for _ in 0..LOOKS {
        // Another grader may be making the database beside earlier records.
        thread::sleep(PAUSE);
        if !is_empty(path) {
            return Ok(());
        }
    }
    Err(StoreError::Empty { path: path.to_owned() })
}

/// Returns the path of the file itself, beside which SQLite has its other files, if `path` is a link.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// True if nothing forbids this user to write the file, or to make it: neither permissions nor a disk that is mounted
/// read-only. SQLite needs the folder as well, for the files beside the database.
fn may_write(path: &Path) -> bool {
    let path = &real(path);
    let may = |path: &Path| {
        let answer = faccessat(AT_FDCWD, path, AccessFlags::W_OK, AtFlags::AT_EACCESS);
        !matches!(answer, Err(Errno::EACCES | Errno::EPERM | Errno::EROFS))
    };
    may(path) && may(&folder_of(path))
}

/// Opens a connection for reading.
///
/// A connection of SQLite's own read-only kind would leave the files beside a database behind that it made to read it, and if
/// they belong to another user than the database, its owner cannot write any longer. Whoever may write therefore opens the
/// database for writing and writes nothing; whoever may not uses such files only if they are there.
fn reader(path: &Path) -> Result<Connection, StoreError> {
    if may_write(path) {
        return joined(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
    }
    for _ in 0..ATTEMPTS {
        let before = State::of(path);
        match before.companions {
            Companions::Shared | Companions::Journal => {
                return joined(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
            }
            Companions::Log => return Err(StoreError::Unmerged { path: path.to_owned() }),
            Companions::None => {}
        }
        // Nobody has the database open. SQLite then takes no notice of a writer who comes, so that what was read holds only if
        // nobody came.
        let copy = unshared(path).and_then(|connection| private_copy(&connection));
        if State::of(path) == before {
            return copy.map_err(|source| uncopied(path, source));
        }
    }
    let source = rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None);
    Err(StoreError::Busy { path: path.to_owned(), source })
}

/// Opens a connection that reads beside others.
fn joined(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let failed = |source| StoreError::of(path, source);
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = connection.map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    let read: rusqlite::Result<i64> =
        connection.query_row("PRAGMA schema_version", [], |row| row.get(0));
    match read {
        // What an interrupted writer has left undone can be undone by a writer alone.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => {
            Err(StoreError::Unmerged { path: path.to_owned() })
        }
        read => read.map(|_| connection).map_err(failed),
    }
}

/// Opens a connection to a database that nobody else has open; it uses no other file.
fn unshared(path: &Path) -> rusqlite::Result<Connection> {
    let path = real(path);
    let path = percent_encode(path.as_os_str().as_bytes(), IN_ADDRESS);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(format!("file:{path}?immutable=1"), flags)
}

/// Copies a database into a file without a name, which is gone with the connection.
fn private_copy(source: &Connection) -> rusqlite::Result<Connection> {
    let mut copy = Connection::open("")?;
    let step = Backup::new(source, &mut copy)?.step(-1)?;
    if step == StepResult::Done {
        return Ok(copy);
    }
    Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None))
}

/// Returns the error of a copy that cannot be made.
fn uncopied(path: &Path, source: rusqlite::Error) -> StoreError {
    match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => {
            StoreError::Uncopied { path: path.to_owned(), source }
        }
        _ => StoreError::of(path, source),
    }
}

/// State of a database's files, as far as it tells whether somebody writes. It is told without opening one of them: SQLite's locks
/// of this process would be gone once it is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    /// Number, size, and time of the last change of the database; `None` if it cannot be looked at.
    database: Option<[i128; 4]>,
    companions: Companions,
}

/// Files beside a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Companions {
    /// None that matter.
    None,
    /// Those by which several connections share the write-ahead log.
    Shared,
    /// A write-ahead log alone, with changes that are not in the database yet.
    Log,
    /// The rollback journal of a writer, which there is where there can be no write-ahead log.
    Journal,
}

impl State {
    fn of(path: &Path) -> Self {
        let path = real(path);
        let file = fs::metadata(&path).ok();
        let numbers = |file: fs::Metadata| {
            [file.ino().into(), file.len().into(), file.mtime().into(), file.mtime_nsec().into()]
        };
        Self { database: file.map(numbers), companions: Companions::of(&path) }
    }
}

impl Companions {
    fn of(path: &Path) -> Self {
        let size = |suffix: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            fs::metadata(name).ok().map(|file| file.len())
        };
        match ["-wal", "-shm", "-journal"].map(size) {
            [Some(_), Some(_), _] => Self::Shared,
            [Some(1..), None, _] => Self::Log,
            [_, _, Some(1..)] => Self::Journal,
            _ => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Grader;

    fn grader() -> Grader {
        Grader { version: "1".into(), seed: Some(1), device: "cpu".into(), sandbox: "full".into() }
    }

    #[test]
    fn a_writer_that_waits_too_long_says_who_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("softmark.db");
        drop(Store::open(&path).unwrap());
        let first = Connection::open(&path).unwrap();
        first.execute_batch("BEGIN IMMEDIATE").unwrap();
        let mut second = Store::open_within(&path, Duration::from_millis(50)).unwrap();
        let error = second.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap_err();
        assert!(matches!(error, StoreError::Busy { .. }), "{error:?}");
        assert!(error.to_string().contains("another grader is writing to"), "{error}");
        // Reading needs no turn.
        assert!(second.runs().unwrap().is_empty());
        first.execute_batch("COMMIT").unwrap();
        second.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    }

    #[test]
    fn commits_reach_the_disk_and_readers_do_not_wait_for_writers() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("softmark.db")).unwrap();
        let mode = |pragma: &str| -> String {
            let sql = format!("SELECT CAST({pragma} AS TEXT) FROM pragma_{pragma}");
            store.connection.query_row(&sql, [], |row| row.get(0)).unwrap()
        };
        assert_eq!((mode("journal_mode").as_str(), mode("synchronous").as_str()), ("wal", "2"));
    }

    #[test]
    fn a_reader_makes_no_database() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("softmark.db");
        assert!(Store::open_existing(&path).unwrap().is_none());
        assert!(Store::open_to_read(&path).unwrap().is_none());
        assert!(!path.exists());
    }

    /// Names and bytes of the files in a folder.
    fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.map(|it| (it.clone(), fs::read(it).unwrap())).collect();
        files.sort();
        files
    }

    #[test]
    fn a_reader_changes_no_file_and_leaves_none_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("softmark.db");
        Store::open(&path).unwrap().begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
        let before = files(folder.path());
        assert_eq!(before.len(), 1);
        let mut reader = Store::open_to_read(&path).unwrap().unwrap();
        assert_eq!(reader.runs().unwrap().len(), 1);
        assert!(reader.begin_run(&grader(), "2026-01-31T12:00:00Z").is_err());
        drop(reader);
        assert_eq!(files(folder.path()), before);
    }

    #[test]
    fn a_reader_reads_beside_a_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("softmark.db");
        let mut writer = Store::open(&path).unwrap();
        let reader = Store::open_to_read(&path).unwrap().unwrap();
        for runs in 1..4 {
            writer.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
            assert_eq!(reader.runs().unwrap().len(), runs);
        }
        assert_eq!(State::of(&path).companions, Companions::Shared);
    }

    #[test]
    fn an_unshared_database_is_read_without_other_files() {
        let folder = tempfile::tempdir().unwrap();
        // Characters that have a meaning in an address.
        let path = folder.path().join("a?b#c%20é/softmark.db");
        fs::create_dir(path.parent().unwrap()).unwrap();
        Store::open(&path).unwrap().begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
        let before = files(path.parent().unwrap());
        let connection = private_copy(&unshared(&path).unwrap()).unwrap();
        let reader = Store { connection, path: path.clone() };
        assert_eq!(reader.runs().unwrap().len(), 1);
        assert_eq!(files(path.parent().unwrap()), before);
    }
}
