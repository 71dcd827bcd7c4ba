//! A new course: a workspace with a grader and one assignment.

use std::fs;
use std::path::{Path, PathBuf};

use crate::scaffold::assignment::{depends, lists, write, write_assignment};
use crate::scaffold::error::ScaffoldError;
use crate::scaffold::files::{COURSE, HIDDEN, LOCK};
use crate::scaffold::names::{AssignmentId, packages};
use crate::scaffold::source::Source;

/// Crates that a course depends on, and their folders in a checkout.
const CRATES: [(&str, &str); 8] = [
    ("softmark", ""),
    ("softmark-candle-nn", "crates/softmark-candle-nn"),
    ("softmark-checks", "crates/softmark-checks"),
    ("softmark-common", "crates/softmark-common"),
    ("softmark-exam", "crates/softmark-exam"),
    ("softmark-kit", "crates/softmark-kit"),
    ("softmark-student", "crates/softmark-student"),
    ("softmark-worker", "crates/softmark-worker"),
];

/// The grader of a course without assignments.
const MAIN: &str = "//! The grader of the course: `cargo run -- SUBMISSION`.\n\nfn main() -> \
                    std::process::ExitCode {\n    softmark::main(&[])\n}\n";

/// A course to be made.
#[derive(Debug, Clone)]
pub struct NewCourse {
    /// Folder of the course; it must be empty or missing.
    pub folder: PathBuf,
    /// Title of the course.
    pub title: String,
    /// Id of its first assignment.
    pub assignment: String,
    /// Place of Softmark's crates.
    pub source: Source,
}

/// Makes a course. Nothing is in the folder before all is written beside it.
///
/// # Errors
///
/// Fails if the folder holds anything, the assignment's id cannot be used, or writing fails.
pub fn make_course(course: &NewCourse) -> Result<(), ScaffoldError> {
    let id = AssignmentId::parse(&course.assignment, &packages(LOCK))?;
    let folder = &course.folder;
    if let Ok(mut entries) = fs::read_dir(folder)
        && entries.next().is_some()
    {
        return Err(ScaffoldError::NotEmpty { path: folder.clone() });
    }
    if folder.is_file() {
        return Err(ScaffoldError::Exists { path: folder.clone() });
    }
    let parent = folder.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|source| ScaffoldError::io("make", parent, source))?;
    let new = tempfile::Builder::new()
        .prefix(".softmark-new-")
        .tempdir_in(parent)
        .map_err(|source| ScaffoldError::io("write in", parent, source))?;
    let inside = new.path().join("course");
    write_course(&inside, course, &id)?;
    if !folder.is_dir() {
        return fs::rename(&inside, folder)
            .map_err(|source| ScaffoldError::io("make", folder, source));
    }
    // The folder stays the same one, in which somebody may be.
    let failed = |source| ScaffoldError::io("write in", folder, source);
    for entry in fs::read_dir(&inside).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        fs::rename(entry.path(), folder.join(entry.file_name())).map_err(failed)?;
    }
    Ok(())
}

fn write_course(home: &Path, course: &NewCourse, id: &AssignmentId) -> Result<(), ScaffoldError> {
    for file in COURSE {
        let hidden = if HIDDEN.contains(&file.path) { "." } else { "" };
        let mut text = put_into(file.text, course, id);
        if file.path == "Cargo.toml" {
            text = depends(Path::new(file.path), &text, id)?;
        }
        write(&home.join(format!("{hidden}{}", file.path)), &text)?;
    }
    write(&home.join("Cargo.lock"), LOCK)?;
    let main = Path::new("src/main.rs");
    write(&home.join(main), &lists(main, MAIN, id)?)?;
    write_assignment(home, id)
}

/// Puts the names of the course in place of the template's.
fn put_into(text: &str, course: &NewCourse, id: &AssignmentId) -> String {
    let title = toml::Value::String(course.title.clone()).to_string();
    let mut text = text
        .replace("@ID@", id.as_str())
        .replace("@TITLE_TOML@", &title)
        .replace("@TITLE@", &course.title);
    for (name, folder) in CRATES {
        text = text.replace(&format!("@{name}@"), &course.source.dependency(folder));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Course;

    fn course(folder: PathBuf) -> NewCourse {
        NewCourse {
            folder,
            title: "Transformers \"by hand\"".to_owned(),
            assignment: "residual".to_owned(),
            source: Source::built_from().unwrap(),
        }
    }

    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { files(&path, found) } else { found.push(path) }
        }
    }

    #[test]
    fn a_course_has_no_name_of_the_template() {
        let dir = tempfile::tempdir().unwrap();
        let course = course(dir.path().join("courses/here"));
        make_course(&course).unwrap();
        assert_eq!(Course::read(&course.folder).unwrap().title, course.title);
        let mut found = Vec::new();
        files(&course.folder, &mut found);
        assert!(found.len() > 30);
        for file in found {
            let text = fs::read_to_string(&file).unwrap();
            assert!(
                !text.contains("sample-id") && !text.contains("sample_id"),
                "{}",
                file.display()
            );
            assert!(!text.contains("@softmark") && !text.contains("@TITLE"), "{}", file.display());
        }
        let manifest = fs::read_to_string(course.folder.join("Cargo.toml")).unwrap();
        let table: toml::Table = toml::from_str(&manifest).unwrap();
        assert!(table["dependencies"].as_table().unwrap().contains_key("residual-exam"));
        assert_eq!(fs::read_dir(dir.path().join("courses")).unwrap().count(), 1);
    }

    #[test]
    fn what_is_there_stays() {
        let dir = tempfile::tempdir().unwrap();
        make_course(&course(dir.path().join("empty"))).unwrap();
        let again = make_course(&course(dir.path().join("empty")));
        assert!(matches!(again, Err(ScaffoldError::NotEmpty { .. })));
        fs::create_dir(dir.path().join("made")).unwrap();
        let open = fs::File::open(dir.path().join("made")).unwrap();
        make_course(&course(dir.path().join("made"))).unwrap();
        assert!(dir.path().join("made/softmark.toml").is_file());
        let same = std::os::unix::fs::MetadataExt::ino(&open.metadata().unwrap());
        let now = fs::metadata(dir.path().join("made")).unwrap();
        assert_eq!(std::os::unix::fs::MetadataExt::ino(&now), same);
        fs::write(dir.path().join("file"), "mine").unwrap();
        assert!(make_course(&course(dir.path().join("file"))).is_err());
        assert_eq!(fs::read_to_string(dir.path().join("file")).unwrap(), "mine");
    }
}
