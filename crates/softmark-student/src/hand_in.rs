//! Files that a student hands in, and reasons for which the grader would reject them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use softmark_checks::hand_in::{
    MAX_ANSWER_BYTES, MAX_FILE_BYTES, MAX_TOTAL_BYTES, missing, not_text, not_used, too_large,
    too_large_together,
};
use softmark_checks::source::{Files, compile_time_reads, unsafe_code};

use crate::assignment::Assignment;

/// Files to hand in, and what is to be said about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HandIn {
    /// Content of the files, by their path in the folder.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// Reasons for which the grader rejects the submission.
    pub(crate) rejected: Vec<String>,
    /// Notes about files that are missing or not used.
    pub(crate) notes: Vec<String>,
}

impl HandIn {
    /// Reads the files of `assignment` in the folder `dir`. Where there is no assignment, as in a solution, there is nothing to
    /// hand in.
    pub(crate) fn read(dir: &Path, assignment: &Assignment) -> Self {
        let mut found = Self::default();
        if !assignment.is_there() {
            return found;
        }
        let sources = found.sources(dir, assignment);
        found.rejected.extend(compile_time_reads(&sources).into_iter().map(|it| it.message));
        found.rejected.extend(unsafe_code(&sources).into_iter().map(|it| it.message));
        for name in &assignment.answers {
            found.optional(dir, name, MAX_ANSWER_BYTES);
        }
        for upload in &assignment.upload {
            found.optional(dir, &upload.file, upload.mebibytes << 20);
        }
        let others = others(dir, assignment);
        if !others.is_empty() {
            let names: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
            let why = "the grader takes only the files that the assignment lists, so code that needs them will not compile";
            found.notes.push(format!("{} ({why})", not_used(&names.join(", "))));
        }
        found
    }

    /// Takes the source files, and returns those that are text.
    fn sources(&mut self, dir: &Path, assignment: &Assignment) -> Files {
        let mut sources = Files::new();
        for name in &assignment.collect {
            let path = format!("src/{name}");
            match fs::read(dir.join(&path)) {
                Err(_) => self.rejected.push(missing(&path)),
                Ok(text) if text.len() as u64 > MAX_FILE_BYTES => {
                    self.rejected.push(too_large(&path, MAX_FILE_BYTES));
                }
                Ok(text) if std::str::from_utf8(&text).is_err() => {
                    self.rejected.push(not_text(&path));
                }
                Ok(text) => {
                    sources.insert(name.clone(), text.clone());
                    self.files.insert(path, text);
                }
            }
        }
        let total: u64 = self.files.values().map(|text| text.len() as u64).sum();
        if total > MAX_TOTAL_BYTES {
            self.rejected.push(too_large_together(total));
        }
        sources
    }

    /// Takes a file that may be missing.
    fn optional(&mut self, dir: &Path, name: &str, limit: u64) {
        match fs::read(dir.join(name)) {
            Err(_) => self.notes.push(format!("{}: it earns nothing", missing(name))),
            Ok(content) if content.len() as u64 > limit => {
                self.rejected.push(too_large(name, limit));
            }
            Ok(content) => {
                self.files.insert(name.to_owned(), content);
            }
        }
    }
}

/// Returns the files below `src/` that are neither handed in nor provided.
fn others(dir: &Path, assignment: &Assignment) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(dir.join("src").join(&folder)).into_iter().flatten();
        for entry in entries.filter_map(Result::ok) {
            let path = folder.join(entry.file_name());
            let name = path.to_string_lossy().replace('\\', "/");
            let is_known =
                assignment.collect.iter().chain(&assignment.provided).any(|it| *it == name);
            if entry.file_type().is_ok_and(|it| it.is_dir()) {
                folders.push(path);
            } else if !is_known {
                found.push(format!("src/{name}"));
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "id = \"lab\"\ncollect = [\"a.rs\", \"b.rs\"]\nprovided = [\"lib.rs\"]\nanswers = [\"answers.md\"]\n\
                        [[upload]]\nfile = \"best.safetensors\"\nmebibytes = 1\n";

    fn read(files: &[(&str, &[u8])]) -> HandIn {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        HandIn::read(dir.path(), &toml::from_str(TEXT).unwrap())
    }

    #[test]
    fn what_is_complete_is_taken() {
        let found = read(&[
            ("src/a.rs", b"fn a() {}"),
            ("src/b.rs", b"fn b() {}"),
            ("src/lib.rs", b"mod a;"),
            ("answers.md", b"yes"),
            ("best.safetensors", b"x"),
            ("notes.txt", b"mine"),
        ]);
        let names: Vec<&str> = found.files.keys().map(String::as_str).collect();
        assert_eq!(names, ["answers.md", "best.safetensors", "src/a.rs", "src/b.rs"]);
        assert_eq!((found.rejected, found.notes), (Vec::new(), Vec::new()));
    }

    #[test]
    fn what_the_grader_rejects_is_said_in_its_words() {
        let found = read(&[
            ("src/a.rs", b"mod c;\nunsafe fn f() {}"),
            ("src/c.rs", b""),
            ("src/deep/d.rs", b""),
            ("best.safetensors", &vec![0; (1 << 20) + 1]),
        ]);
        let [gone, module, unsafety, large] = found.rejected.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(gone, "`src/b.rs` is missing");
        assert!(module.starts_with("src/a.rs:1: `mod` names a module that lies in"), "{module}");
        assert!(unsafety.starts_with("src/a.rs:2: `unsafe` is not allowed"), "{unsafety}");
        assert_eq!(large, "`best.safetensors` has more than the 1048576 bytes allowed");
        let [answers, others] = found.notes.as_slice() else { panic!("{found:?}") };
        assert_eq!(answers, "`answers.md` is missing: it earns nothing");
        assert!(others.starts_with("not used: `src/c.rs`, `src/deep/d.rs` ("), "{others}");
        let found = read(&[("src/a.rs", &vec![b' '; (256 << 10) + 1]), ("src/b.rs", &[0xff])]);
        let rejected =
            ["`src/a.rs` has more than the 262144 bytes allowed", "`src/b.rs` is not UTF-8 text"];
        assert_eq!(found.rejected, rejected);
    }

    #[test]
    fn a_folder_without_an_assignment_hands_in_nothing() {
        let found = HandIn::read(Path::new("/nonexistent"), &Assignment::default());
        assert_eq!(found, HandIn::default());
    }
}
