//! The students of the course, as its files are at the moment.
//!
//! The roster and `softmark.toml` may be edited while the server runs. Files that cannot be read, such as half of an edit, change
//! nothing, and pages say why.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::stamp::FileStamp;
use crate::course::roster::Roster;
use crate::course::{self, Course};

/// Function that reads the students of the course in a folder; `None` if it has no roster. The error is a sentence.
pub type ReadRoster = fn(&Path) -> Result<Option<Roster>, String>;

/// Students of the course at one moment.
#[derive(Debug, Clone, Default)]
pub(super) struct Students {
    /// Number that changes when they are read again.
    pub(super) version: u64,
    /// Students; `None` if the course has no roster.
    pub(super) roster: Option<Arc<Roster>>,
    /// Reason why the files cannot be read, if so; the roster is then the last one that could be.
    pub(super) error: Option<String>,
}

/// Reader of the roster.
#[derive(Debug)]
pub(super) struct RosterReader {
    home: PathBuf,
    read: ReadRoster,
    kept: Mutex<Kept>,
}

/// Last reading.
#[derive(Debug, Default)]
struct Kept {
    /// State of `softmark.toml` and of the roster; `None` before the first reading.
    stamps: Option<[Option<FileStamp>; 2]>,
    /// Path of the roster, if the course has one.
    path: Option<PathBuf>,
    students: Students,
}

impl RosterReader {
    /// Creates a reader of the roster of the course at `home`.
    pub(super) fn new(home: &Path, read: ReadRoster) -> Self {
        Self { home: home.to_owned(), read, kept: Mutex::default() }
    }

    /// Returns the students of now. The files are read again if they have changed.
    pub(super) fn students(&self) -> Students {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.stamps.is_some_and(|stamps| stamps == self.stamps(&kept)) {
            return kept.students.clone();
        }
        if let Ok(course) = Course::read(&self.home) {
            kept.path = course.roster.map(|name| self.home.join(name.get_ref()));
        }
        // What changes while it is read has a later stamp.
        kept.stamps = Some(self.stamps(&kept));
        kept.students.version += 1;
        match (self.read)(&self.home) {
            Ok(roster) => {
                kept.students.roster = roster.map(Arc::new);
                kept.students.error = None;
            }
            Err(error) => kept.students.error = Some(error),
        }
        kept.students.clone()
    }

    fn stamps(&self, kept: &Kept) -> [Option<FileStamp>; 2] {
        let course = FileStamp::of(&self.home.join(course::FILE));
        [course, kept.path.as_deref().and_then(FileStamp::of)]
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::course::Table;
    use crate::course::roster::StudentTable;

    /// Reads the roster `a.csv` or `b.csv`, without the groups of the course.
    fn read(home: &Path) -> Result<Option<Roster>, String> {
        let course = Course::read(home).map_err(|error| error.to_string())?;
        let Some(name) = course.roster else { return Ok(None) };
        let text = fs::read(home.join(name.get_ref())).map_err(|error| error.to_string())?;
        let table = Table::parse(&text).map_err(|error| error.to_string())?;
        let students = StudentTable::read(&table).map_err(|error| error.to_string())?.students;
        Roster::new(students).map(Some).map_err(|error| error.to_string())
    }

    #[test]
    fn students_are_those_of_now_and_an_error_changes_nothing() {
        let home = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(home.path().join(name), text).unwrap();
        let reader = RosterReader::new(home.path(), read);
        let ids = || {
            let students = reader.students();
            let roster = students.roster.iter();
            let ids = roster.flat_map(|it| it.students()).map(|it| it.id.to_string());
            (students.version, ids.collect::<Vec<_>>().join(" "), students.error.is_some())
        };
        let is = |version: u64, told: &str, fails| (version, told.to_owned(), fails);
        write("softmark.toml", "title = 'T'\n");
        assert_eq!(ids(), is(1, "", false));
        assert_eq!(ids(), is(1, "", false), "nothing has changed");
        write("a.csv", "id,name\namara,Amara\n");
        write("softmark.toml", "title = 'T'\nroster = 'a.csv'\n");
        assert_eq!(ids(), is(2, "amara", false));
        write("a.csv", "id,name\namara,Amara\nbao,Bao\n");
        assert_eq!(ids(), is(3, "amara bao", false));
        write("a.csv", "id,name\namara,Amara\namara,Bao\n");
        assert_eq!(ids(), is(4, "amara bao", true));
        write("softmark.toml", "title = 'T'\nroster = ");
        assert_eq!(ids(), is(5, "amara bao", true));
        fs::remove_file(home.path().join("a.csv")).unwrap();
        assert_eq!(ids(), is(6, "amara bao", true));
        write("b.csv", "id,name\nchiara,Chiara\n");
        write("softmark.toml", "title = 'T'\nroster = 'b.csv'\n");
        assert_eq!(ids(), is(7, "chiara", false));
    }
}
