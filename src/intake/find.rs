//! Finding submissions.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::intake::error::IntakeError;
use crate::intake::name;
use crate::intake::open::{Kind, entries, is_hidden, kind};
use crate::intake::submission::Candidate;

/// What makes a folder a submission.
pub(crate) const SRC: &str = "src";

/// Most entries of a folder of submissions.
const MAX_ENTRIES: usize = 10_000;

/// How many folders may lie around a submission: `amara/amara/src` has one too many.
const MAX_AROUND: usize = 3;

/// How names of archives end.
const ARCHIVES: [&str; 9] =
    [".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst", ".7z", ".rar"];

/// The submissions at `paths`, in the order of their names: each path is one (a folder that holds
/// `src/`) or a folder of them.
///
/// Every folder in a folder of submissions is a candidate, whatever it holds, so that nobody is
/// left out unseen; only hidden ones are skipped. A path may itself be a link, for the instructor
/// names it.
///
/// # Errors
///
/// When a path does not exist, holds no submission, or two submissions have one name.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Candidate>, IntakeError> {
    let mut found = Vec::new();
    for path in paths {
        at(path, &mut found)?;
    }
    found.sort();
    // `grade class class/amara` means amara once.
    found.dedup_by(|a, b| a.name == b.name && is_same_place(&a.path, &b.path));
    for pair in found.windows(2) {
        if let [first, second] = pair
            && first.name == second.name
        {
            return Err(IntakeError::NameTwice {
                name: first.name.clone(),
                first: first.path.clone(),
                second: second.path.clone(),
            });
        }
    }
    Ok(found)
}

fn is_same_place(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        // What cannot be told stays two.
        (Err(_), _) | (_, Err(_)) => false,
    }
}

fn is_archive(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    ARCHIVES.iter().any(|ending| name.ends_with(ending))
}

/// Adds what is at a path that the instructor named.
fn at(path: &Path, found: &mut Vec<Candidate>) -> Result<(), IntakeError> {
    // The name of `.` or `class/..` is that of the folder that it is.
    let whole = fs::canonicalize(path).map_err(|error| {
        if error.kind() == ErrorKind::NotFound {
            IntakeError::Missing(path.to_owned())
        } else {
            IntakeError::read(path)(error)
        }
    })?;
    if !whole.is_dir() {
        let name = path.file_name().unwrap_or_default();
        let path = path.to_owned();
        return Err(if is_archive(name) {
            IntakeError::Archive(path)
        } else {
            IntakeError::File(path)
        });
    }
    if kind(&path.join(SRC)).map_err(IntakeError::read(path))? == Kind::Nothing {
        return folder(path, found);
    }
    let name = path.file_name().or_else(|| whole.file_name()).unwrap_or_default();
    let name = name::of_submission(name);
    // From here on no link is followed: this one is resolved now.
    let is_link = kind(path).map_err(IntakeError::read(path))? == Kind::Link;
    found.push(Candidate { name, path: if is_link { whole } else { path.to_owned() } });
    Ok(())
}

/// Adds every folder of a folder of submissions.
fn folder(path: &Path, found: &mut Vec<Candidate>) -> Result<(), IntakeError> {
    let too_many = || IntakeError::TooMany { path: path.to_owned(), limit: MAX_ENTRIES };
    let all = entries(path, MAX_ENTRIES).map_err(IntakeError::read(path))?.ok_or_else(too_many)?;
    let mut any = false;
    for (name, kind) in all {
        let inside = path.join(&name);
        if is_hidden(&name) || name == "__MACOSX" {
            continue;
        }
        let taken = match kind {
            Kind::Folder => true,
            // A linked folder is rejected by name; a linked file is as little a submission as a
            // file is.
            Kind::Link => fs::metadata(&inside).map_or(true, |metadata| metadata.is_dir()),
            Kind::File if is_archive(&name) => return Err(IntakeError::Archive(inside)),
            Kind::File | Kind::Special | Kind::Nothing => false,
        };
        if !taken {
            continue;
        }
        let unpacked = (kind == Kind::Folder).then(|| unpacked(&inside)).flatten();
        any |= unpacked.is_some();
        let path = unpacked.unwrap_or(inside);
        found.push(Candidate { name: name::of_submission(&name), path });
    }
    if any { Ok(()) } else { Err(IntakeError::Empty(path.to_owned())) }
}

/// The folder at or below `dir` that holds `src/`, where nothing but folders around folders lies
/// between.
///
/// What cannot be read holds nothing here; that is told when it is read.
fn unpacked(dir: &Path) -> Option<PathBuf> {
    let mut dir = dir.to_owned();
    for _ in 0..=MAX_AROUND {
        if kind(&dir.join(SRC)).ok()? != Kind::Nothing {
            return Some(dir);
        }
        let all = entries(&dir, MAX_ENTRIES).ok()??;
        let mut folders = all
            .into_iter()
            .filter(|(name, kind)| *kind == Kind::Folder && !is_hidden(name) && name != "__MACOSX");
        let (Some((only, _)), None) = (folders.next(), folders.next()) else {
            return None;
        };
        dir.push(only);
    }
    None
}
