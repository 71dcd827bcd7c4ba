//! The folder of a course: the nearest one with a `softmark.toml`.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::unistd::{Uid, geteuid};

use crate::course::error::CourseError;

/// Name of the file that makes a folder a course.
pub const FILE: &str = "softmark.toml";

/// Environment variable that names the folder of the course.
pub const HOME: &str = "SOFTMARK_HOME";

/// Returns the folder of the course that `from` is in: the one, at `from` or above it, with a `softmark.toml` that
/// belongs to this user or to the administrator; `None` if there is none.
///
/// A course is built and run, so a file that another user put into `/tmp`, say, must not make one.
///
/// # Errors
///
/// Fails if there are several. The nearest may belong to a submission that is kept in the folder of the course.
pub fn find(from: &Path) -> Result<Option<&Path>, CourseError> {
    let mut courses = from.ancestors().filter(|folder| is_own(&folder.join(FILE), geteuid()));
    match (courses.next(), courses.next()) {
        (Some(inner), Some(outer)) => {
            Err(CourseError::Nested { inner: inner.join(FILE), outer: outer.join(FILE) })
        }
        (found, _) => Ok(found),
    }
}

/// True if there is such a file, and it belongs to `user` or to the administrator.
fn is_own(file: &Path, user: Uid) -> bool {
    let own = |uid| Uid::from_raw(uid) == user || Uid::from_raw(uid).is_root();
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && own(metadata.uid()))
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
        assert_eq!(find(&below).unwrap(), Some(dir.path()));
        assert_eq!(find(dir.path()).unwrap(), Some(dir.path()));
        assert_eq!(find(Path::new("/")).unwrap(), None);
    }

    #[test]
    fn a_course_in_another_one_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("class/amara");
        fs::create_dir_all(inner.join("src")).unwrap();
        fs::write(dir.path().join(FILE), "title = \"T\"").unwrap();
        fs::write(inner.join(FILE), "title = \"mine\"").unwrap();
        for from in [inner.join("src"), inner.clone()] {
            let refused = find(&from).unwrap_err().to_string();
            let (inner, outer) = (inner.join(FILE), dir.path().join(FILE));
            let both = format!("{} lies below {}, so", inner.display(), outer.display());
            assert!(refused.starts_with(&both), "{refused}");
        }
        assert_eq!(find(&dir.path().join("class")).unwrap(), Some(dir.path()));
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
}
