//! A new assignment in a course: its two folders, and its place in the grader.

use std::fs;
use std::path::{Path, PathBuf};

use crate::scaffold::error::ScaffoldError;
use crate::scaffold::files::ASSIGNMENT;
use crate::scaffold::names::{AssignmentId, packages_of};

/// Most columns of a line of the grader's `main.rs`.
const COLUMNS: usize = 100;

/// Folders and files of a new assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAssignment {
    /// Folders that were made, from the course.
    pub folders: [PathBuf; 2],
    /// Files of the course that now name the assignment, from the course.
    pub changed: [PathBuf; 2],
}

/// Makes the assignment `id`, with one worked task, in the course at `home`.
///
/// Nothing is written unless all can be.
///
/// # Errors
///
/// Fails if the id cannot be used, a folder is already there, the grader of the course has no place for another exam,
/// or writing fails.
pub fn add_assignment(home: &Path, id: &str) -> Result<NewAssignment, ScaffoldError> {
    let id = AssignmentId::parse(id, &packages_of(home))?;
    let folders = folders(&id);
    if let Some(path) = folders.iter().map(|it| home.join(it)).find(|it| it.exists()) {
        return Err(ScaffoldError::Exists { path });
    }
    let changed = [PathBuf::from("Cargo.toml"), PathBuf::from("src/main.rs")];
    let [manifest, main] = changed.clone().map(|it| home.join(it));
    let with_dependency = depends(&manifest, &read(&manifest)?, &id)?;
    let with_exam = lists(&main, &read(&main)?, &id)?;
    write_assignment(home, &id)?;
    write(&manifest, &with_dependency)?;
    write(&main, &with_exam)?;
    Ok(NewAssignment { folders, changed })
}

fn folders(id: &AssignmentId) -> [PathBuf; 2] {
    ["assignments", "solutions"].map(|folder| Path::new(folder).join(id.as_str()))
}

/// Writes the files of the assignment `id` in the course at `home`.
pub(super) fn write_assignment(home: &Path, id: &AssignmentId) -> Result<(), ScaffoldError> {
    for file in ASSIGNMENT {
        write(&home.join(id.put_into(file.path)), &id.put_into(file.text))?;
    }
    Ok(())
}

/// Writes a file, and the folders that it is in.
pub(super) fn write(path: &Path, text: &str) -> Result<(), ScaffoldError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| ScaffoldError::io("make", folder, source))?;
    }
    fs::write(path, text).map_err(|source| ScaffoldError::io("write", path, source))
}

fn read(path: &Path) -> Result<String, ScaffoldError> {
    fs::read_to_string(path).map_err(|source| ScaffoldError::io("read", path, source))
}

/// Returns the manifest at `path` with the exam of `id` among the dependencies.
pub(super) fn depends(path: &Path, text: &str, id: &AssignmentId) -> Result<String, ScaffoldError> {
    const TABLE: &str = "\n[dependencies]\n";
    let missing = || ScaffoldError::NoPlace { place: "`[dependencies]`", path: path.to_owned() };
    let (before, after) = text.split_once(TABLE).ok_or_else(missing)?;
    let id = id.as_str();
    Ok(format!("{before}{TABLE}{id}-exam = {{ path = \"solutions/{id}/exam\" }}\n{after}"))
}

/// Returns the grader's `main.rs` at `path` with the exam of `id` at the end of its list.
pub(super) fn lists(path: &Path, text: &str, id: &AssignmentId) -> Result<String, ScaffoldError> {
    let missing =
        || ScaffoldError::NoPlace { place: "`softmark::main(&[…])`", path: path.to_owned() };
    let (before, rest) = text.split_once("softmark::main(&[").ok_or_else(missing)?;
    let (listed, after) = rest.split_once("])").ok_or_else(missing)?;
    let listed = listed.split(',').map(str::trim).filter(|exam| !exam.is_empty());
    let mut exams: Vec<String> = listed.map(str::to_owned).collect();
    exams.push(format!("{}_exam::SUITE", id.identifier()));
    let line = format!("    softmark::main(&[{}])", exams.join(", "));
    let list = if line.len() <= COLUMNS {
        exams.join(", ")
    } else {
        format!("\n        {},\n    ", exams.join(",\n        "))
    };
    Ok(format!("{before}softmark::main(&[{list}]){after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> AssignmentId {
        AssignmentId::parse(text, &[]).unwrap()
    }

    #[test]
    fn the_grader_lists_one_more_exam() {
        let path = Path::new("main.rs");
        let empty = "fn main() {\n    softmark::main(&[])\n}\n";
        let one = lists(path, empty, &id("lab-1")).unwrap();
        assert_eq!(one, "fn main() {\n    softmark::main(&[lab_1_exam::SUITE])\n}\n");
        let two = lists(path, &one, &id("b")).unwrap();
        assert_eq!(
            two,
            "fn main() {\n    softmark::main(&[lab_1_exam::SUITE, b_exam::SUITE])\n}\n"
        );
        let long = lists(path, &two, &id(&"c".repeat(60))).unwrap();
        let lines: Vec<&str> = long.lines().collect();
        assert_eq!(
            lines[1..4],
            ["    softmark::main(&[", "        lab_1_exam::SUITE,", "        b_exam::SUITE,"]
        );
        assert_eq!(lines[5..], ["    ])", "}"]);
        let error = lists(path, "fn main() {}", &id("b")).unwrap_err().to_string();
        assert_eq!(error, "there is no `softmark::main(&[…])` in main.rs");
    }

    #[test]
    fn the_manifest_names_the_exam() {
        let path = Path::new("Cargo.toml");
        let text = "[package]\n\n[dependencies]\nsoftmark = \"1\"\n";
        let found = depends(path, text, &id("b")).unwrap();
        let line = "b-exam = { path = \"solutions/b/exam\" }\n";
        assert_eq!(found, format!("[package]\n\n[dependencies]\n{line}softmark = \"1\"\n"));
        assert!(depends(path, "[package]\n", &id("b")).is_err());
    }

    #[test]
    fn nothing_is_written_unless_all_can_be() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path();
        fs::write(home.join("Cargo.toml"), "[package]\n").unwrap();
        assert!(matches!(add_assignment(home, "b"), Err(ScaffoldError::NoPlace { .. })));
        fs::write(home.join("Cargo.toml"), "\n[dependencies]\n").unwrap();
        assert!(matches!(add_assignment(home, "b"), Err(ScaffoldError::Io { .. })));
        assert!(!home.join("assignments").exists());
        write(&home.join("src/main.rs"), "softmark::main(&[])").unwrap();
        let made = add_assignment(home, "b").unwrap();
        assert!(made.folders.iter().all(|folder| home.join(folder).is_dir()));
        assert!(matches!(add_assignment(home, "b"), Err(ScaffoldError::Exists { .. })));
    }

    #[test]
    fn no_name_of_the_template_is_left() {
        let id = id("lab-1");
        for file in ASSIGNMENT {
            let made = id.put_into(file.path) + &id.put_into(file.text);
            assert!(!made.contains("sample"), "{}", file.path);
        }
    }
}
