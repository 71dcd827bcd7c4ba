//! Finds submissions.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::intake::apart::set_apart;
use crate::intake::archive::{is_archive, stem};
use crate::intake::bulk;
use crate::intake::error::IntakeError;
use crate::intake::found::{At, Found, stamp};
use crate::intake::locate::{
    Located, MAX_ENTRIES, Member, SRC, called, kind_of, located, members, several,
};
use crate::intake::location::{Location, is_same_place};
use crate::intake::naming::{Handed, Names, candidates};
use crate::intake::open::{Kind, kind};
use crate::intake::stray;
use crate::intake::submission::Candidate;
use crate::intake::tree::Disk;

/// The submissions at `paths`, in the order of their names: each path is one (a folder that holds
/// `src/`, or an archive), or a folder or an archive of them. What they are called says `names`.
///
/// Every folder and every archive in a folder of submissions is a candidate, whatever it holds and
/// whatever it is called, so that nobody is left out unseen; of what is hidden, only what looks like no
/// submission is skipped. Of a student's versions whose order is known, the latest is a candidate that has the
/// earlier ones. A file beside them that is no archive is a candidate that is rejected (`stray.rs` says which
/// files are not). Where several have one name, each of them is a candidate that cannot be decided, under a
/// name of its own. A path may itself be a link, for the instructor names it.
///
/// # Errors
///
/// When a path does not exist or holds no submission.
pub fn find(paths: &[PathBuf], names: &Names) -> Result<Vec<Candidate>, IntakeError> {
    let (mut alone, mut groups, mut strays) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        match at(path)? {
            At::One(one) => alone.push(one),
            At::Many(many) => {
                let group = names.read(many)?;
                let others: Vec<Candidate> = group.iter().cloned().map(Handed::alone).collect();
                strays.extend(stray::files(path, &others)?);
                groups.push(group);
            }
            At::Part(many, part) => {
                let rules = names.rules(&many);
                let many = many.into_iter().filter(|one| one.path.starts_with(&part)).collect();
                groups.push(rules.read(many)?);
            }
        }
    }
    groups.push(names.read(alone)?);
    let mut found = candidates(groups);
    found.extend(strays);
    found.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    // `grade class class/amara` means amara once.
    found.dedup_by(|a, b| a.name == b.name && is_same_place(&a.path, &b.path));
    Ok(set_apart(found))
}

/// Returns the submission in the folder `path`, by the name `name`. Whatever it holds, it is one submission; folders around
/// `src/` are skipped.
pub fn within(path: &Path, name: &str) -> Candidate {
    // Of a path in the folder that is empty, the folder itself.
    let inside = |at: &Path| path.join(at).components().collect::<PathBuf>();
    match located(&Disk(path.to_owned()), Path::new("")) {
        Located::Folder(at) => Candidate::folder(name, inside(&at)),
        Located::Archive(at) => Candidate::archive(name, inside(&at)),
        Located::Several(all) => {
            let place = Location::Refused(several(path, &all));
            Candidate { place, ..Candidate::folder(name, path) }
        }
        Located::Nothing => Candidate::folder(name, path),
    }
}

fn at(path: &Path) -> Result<At, IntakeError> {
    // The name of `.` or `class/..` is that of the folder that it is.
    let whole = match fs::canonicalize(path) {
        Ok(whole) => whole,
        Err(error) => {
            return if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                through(path)
            } else {
                Err(IntakeError::read(path)(error))
            };
        }
    };
    let name = path.file_name().or_else(|| whole.file_name()).unwrap_or_default();
    if !whole.is_dir() {
        if !is_archive(name) {
            return Err(IntakeError::File(path.to_owned()));
        }
        return bulk::at(name, path, &whole);
    }
    if kind(&path.join(SRC)).map_err(IntakeError::read(path))? == Kind::Nothing {
        return folder(path).map(At::Many);
    }
    // From here on no link is followed: this one is resolved now.
    let is_link = kind(path).map_err(IntakeError::read(path))? == Kind::Link;
    let place = if is_link { whole.clone() } else { path.to_owned() };
    let mut found = Found::new(name, place, Location::Folder);
    found.stamp = stamp(&Disk(whole), Path::new(""));
    Ok(At::One(found))
}

/// Finds the submissions at a path that continues inside an archive, such as `submissions.zip/amara`.
fn through(path: &Path) -> Result<At, IntakeError> {
    let missing = || IntakeError::Missing(path.to_owned());
    let archive = path.ancestors().skip(1).find(|above| above.is_file()).ok_or_else(missing)?;
    match at(archive)? {
        At::Many(many) if many.iter().any(|one| one.path.starts_with(path)) => {
            Ok(At::Part(many, path.to_owned()))
        }
        At::One(_) | At::Many(_) | At::Part(..) => Err(missing()),
    }
}

/// Returns all possible submissions in a folder on the disk.
fn folder(path: &Path) -> Result<Vec<Found>, IntakeError> {
    let tree = Disk(path.to_owned());
    let too_many = || IntakeError::TooMany { path: path.to_owned(), limit: MAX_ENTRIES };
    let mut found = Vec::new();
    for member in members(&tree)?.ok_or_else(too_many)? {
        let Member { name, inside, located } = member;
        let whole = path.join(&inside);
        let (called, place, holds, at) = match located {
            Located::Folder(at) => (name.as_os_str(), Location::Folder, true, at),
            Located::Archive(at) if kind_of(&tree, &at) == Kind::Link => {
                (stem(&name), Location::Folder, false, at)
            }
            Located::Archive(at) if kind_of(&tree, &at) == Kind::Special => {
                let what = Kind::Special.as_str();
                let reason = format!("the submission is {what}, not a folder or an archive");
                (stem(&name), Location::Refused(reason), false, at)
            }
            Located::Archive(at) => (called(&name, &inside, &at), Location::Archive, true, at),
            Located::Several(all) => {
                (name.as_os_str(), Location::Undecided(several(&whole, &all)), true, inside.clone())
            }
            Located::Nothing => (name.as_os_str(), Location::Folder, false, inside.clone()),
        };
        let stamp = stamp(&tree, &at);
        found.push(Found { called: called.to_owned(), path: path.join(at), place, holds, stamp });
    }
    if found.iter().any(|one| one.holds) {
        Ok(found)
    } else {
        Err(IntakeError::Empty(path.to_owned()))
    }
}
