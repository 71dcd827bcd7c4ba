//! Files among submissions that are neither a folder nor an archive.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::intake::error::IntakeError;
use crate::intake::locate::MAX_ENTRIES;
use crate::intake::location::Location;
use crate::intake::name::of_submission;
use crate::intake::open::{Kind, is_hidden};
use crate::intake::submission::Candidate;
use crate::intake::tree::{Disk, Tree};

/// Beginnings of the names of files that instructors and systems put beside submissions, in lower case.
const NOT_HANDED_IN: [&str; 11] = [
    "readme",
    "license",
    "licence",
    "changelog",
    "notes",
    "note.",
    "index.",
    "manifest",
    "cargo.",
    "thumbs.db",
    "desktop.ini",
];

/// Endings of such files: tables, and pages that platforms write.
const OF_THE_COURSE: [&str; 11] =
    [".csv", ".tsv", ".xls", ".xlsx", ".ods", ".html", ".htm", ".json", ".md", ".log", ".sqlite"];

/// Endings of files that are compressed and no archive.
const COMPRESSED: [&str; 7] = [".gz", ".bz2", ".xz", ".zst", ".lz", ".lzma", ".z"];

/// Rejected candidates for the files in the folder at `path` that somebody may have handed in, beside the
/// submissions `others` that were found there: a student who handed in `amara.rs` is to hear of it.
///
/// There are none where `path` is no folder, where most submissions lie in a folder of it, and where most
/// have the names that a platform gives, because then a file may be part of a submission beside it.
///
/// # Errors
///
/// When the folder cannot be read.
pub(crate) fn files(path: &Path, others: &[Candidate]) -> Result<Vec<Candidate>, IntakeError> {
    let here = others.iter().filter(|other| lies_in(path, other)).count();
    if !path.is_dir() || here * 2 <= others.len() {
        return Ok(Vec::new());
    }
    let entries = Disk(path.to_owned()).entries(Path::new(""), MAX_ENTRIES)?.unwrap_or_default();
    let is_taken = |name: &OsStr| others.iter().any(|other| other.path == path.join(name));
    let stray = entries
        .iter()
        .filter(|(name, kind)| *kind == Kind::File && !is_hidden(name) && !is_taken(name))
        .filter_map(|(name, _)| Some((name, reason(name)?)));
    Ok(stray
        .map(|(name, reason)| Candidate {
            place: Location::Refused(reason),
            ..Candidate::folder(of_submission(name), path.join(name))
        })
        .collect())
}

/// True if a submission is an entry of the folder at `path`, or lies in one, and is called like it.
fn lies_in(path: &Path, one: &Candidate) -> bool {
    let below = one.path.strip_prefix(path).ok().and_then(|it| it.components().next());
    below.map(|first| of_submission(first.as_os_str())).is_some_and(|first| {
        one.name == first || first.as_raw().starts_with(&format!("{}.", one.name.as_raw()))
    })
}

/// The reason for rejecting a file of that name; `None` if nobody handed it in.
fn reason(name: &OsStr) -> Option<String> {
    let lower = name.as_bytes().to_ascii_lowercase();
    let begins = |beginning: &&str| lower.starts_with(beginning.as_bytes());
    let ends = |ending: &&str| lower.ends_with(ending.as_bytes());
    if NOT_HANDED_IN.iter().any(begins) || OF_THE_COURSE.iter().any(ends) {
        return None;
    }
    let what = if COMPRESSED.iter().any(ends) {
        "one compressed file, not an archive"
    } else {
        "a file, not a folder or an archive"
    };
    Some(format!(
        "the submission is {what}: hand in the folder that holds `src/`, as a .zip or a .tar.gz"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_course_are_told_from_what_is_handed_in() {
        let told = |name: &str| reason(OsStr::new(name));
        for name in ["amara.rs", "amara.ipynb", "amara", "amara.pdf", "amara.txt", "amara.py"] {
            assert!(told(name).unwrap().contains("a file, not a folder"), "{name}");
        }
        for name in ["amara.gz", "amara.rs.XZ", "amara.bz2", "amara.zst"] {
            assert!(told(name).unwrap().contains("one compressed file"), "{name}");
        }
        for name in [
            "README",
            "readme.txt",
            "Thumbs.db",
            "desktop.ini",
            "gradebook.csv",
            "marks.csv",
            "roster.xlsx",
            "index.html",
            "notes.txt",
            "results.json",
            "LICENSE",
            "Cargo.toml",
        ] {
            assert_eq!(told(name), None, "{name}");
        }
    }
}
