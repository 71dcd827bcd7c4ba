//! Courses: folders with a `softmark.toml`, which hold assignments and solutions.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::{Uid, geteuid};
use serde::Deserialize;
use thiserror::Error;

/// Name of the file that makes a folder a course.
pub const FILE: &str = "softmark.toml";

/// Course, as its `softmark.toml` describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// Title of the course.
    pub title: String,
}

/// A `softmark.toml` that cannot be used.
#[derive(Debug, Error)]
pub enum CourseError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The file is not valid; the error gives line and column.
    #[error("{} is not valid: {source}", path.display())]
    Invalid {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser.
        source: Box<toml::de::Error>,
    },
}

/// Returns the folder of the course that `from` is in: the nearest one, upwards, with a `softmark.toml` that belongs to
/// this user or to the administrator.
///
/// A course is built and run, so a file that another user put into `/tmp`, say, must not make one.
pub fn find(from: &Path) -> Option<&Path> {
    from.ancestors().find(|folder| is_own(&folder.join(FILE), geteuid()))
}

/// True if there is such a file, and it belongs to `user` or to the administrator.
fn is_own(file: &Path, user: Uid) -> bool {
    let own = |uid| Uid::from_raw(uid) == user || Uid::from_raw(uid).is_root();
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && own(metadata.uid()))
}

impl Course {
    /// Reads the `softmark.toml` of the course at `home`.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read or is not valid; unknown keys are not.
    pub fn read(home: &Path) -> Result<Self, CourseError> {
        let path = home.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(CourseError::Read { path, source }),
        };
        toml::from_str(&text)
            .map_err(|source| CourseError::Invalid { path, source: Box::new(source) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_is_found_from_any_folder_below_it() {
        let dir = tempfile::tempdir().unwrap();
        let below = dir.path().join("assignments/x/src");
        fs::create_dir_all(&below).unwrap();
        fs::write(dir.path().join(FILE), "title = \"T\"").unwrap();
        assert_eq!(find(&below), Some(dir.path()));
        assert_eq!(find(dir.path()), Some(dir.path()));
        // The nearest one counts.
        fs::write(below.join(FILE), "title = \"other\"").unwrap();
        assert_eq!(find(&below), Some(below.as_path()));
        assert_eq!(find(Path::new("/")), None);
    }

    #[test]
    fn a_file_of_another_user_makes_no_course() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(FILE);
        fs::write(&file, "title = \"T\"").unwrap();
        let owner = fs::metadata(&file).unwrap().uid();
        assert!(is_own(&file, Uid::from_raw(owner)));
        // The administrator's are everybody's.
        assert_eq!(is_own(&file, Uid::from_raw(owner + 1)), owner == 0);
        std::os::unix::fs::chown(&file, Some(owner + 1), None).map_or_else(
            |_| println!("SKIPPED: this user may not give files away"),
            |()| assert!(!is_own(&file, Uid::from_raw(owner + 2))),
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            fs::write(dir.path().join(FILE), text).unwrap();
            Course::read(dir.path()).map_err(|error| error.to_string())
        };
        assert_eq!(read("title = \"T\""), Ok(Course { title: "T".to_owned() }));
        let unknown = read("title = \"T\"\ntilte = 1").unwrap_err();
        assert!(unknown.contains("line 2, column 1") && unknown.contains("tilte"), "{unknown}");
        assert!(read("").unwrap_err().contains("missing field `title`"));
        fs::remove_file(dir.path().join(FILE)).unwrap();
        let missing = Course::read(dir.path()).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read "), "{missing}");
    }
}
