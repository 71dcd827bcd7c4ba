//! Opens candidates, wherever they lie.

use std::path::{Path, PathBuf};

use crate::intake::archive::{Archive, Fault, Limits, Offence, Source};
use crate::intake::error::IntakeError;
use crate::intake::locate::{Located, SRC, located};
use crate::intake::location::{Bulk, Location, Within};
use crate::intake::open::{Content, Kind, kind, regular};
use crate::intake::submission::{Candidate, Opened};
use crate::intake::tree::{Disk, Packed, Tree};

/// Opens a candidate. From an archive, only the files in `wanted` are read, each of at most so many bytes.
pub(crate) fn open(
    candidate: &Candidate,
    wanted: &[(PathBuf, u64)],
) -> Result<Opened<Box<dyn Tree>>, IntakeError> {
    let path = candidate.path.as_path();
    let tree = match &candidate.place {
        Location::Folder => return folder(path),
        Location::Archive => {
            let Some(file) = regular(path).map_err(IntakeError::read(path))? else {
                return Err(IntakeError::Missing(path.to_owned()));
            };
            let archive = Archive::open(&file, &Limits::SUBMISSION);
            archive.and_then(|archive| packed(&file, &archive, wanted))
        }
        Location::Within(within) => within.open(wanted),
        Location::Refused(reason) => return Ok(Opened::rejected(reason.clone())),
        Location::Undecided(reason) => return Err(IntakeError::Undecided(reason.clone())),
    };
    match tree {
        Ok(tree) => Ok(Opened::Accepted(Box::new(tree))),
        Err(Fault::Offence(offence)) => Ok(Opened::rejected(offence.to_string())),
        Err(Fault::Io(error)) => Err(IntakeError::read(path)(error)),
    }
}

fn folder(path: &Path) -> Result<Opened<Box<dyn Tree>>, IntakeError> {
    match kind(path).map_err(IntakeError::read(path))? {
        Kind::Nothing => Err(IntakeError::Missing(path.to_owned())),
        Kind::Link => {
            let reason = "the submission is a link, not a folder: links are not followed";
            Ok(Opened::rejected(reason.to_owned()))
        }
        Kind::File | Kind::Special => Err(IntakeError::File(path.to_owned())),
        Kind::Folder => Ok(Opened::Accepted(Box::new(Disk(path.to_owned())))),
    }
}

/// Reads the submission in an archive: the folder that holds `src/`, or else the whole archive.
fn packed<S: Source + ?Sized>(
    source: &S,
    archive: &Archive,
    wanted: &[(PathBuf, u64)],
) -> Result<Packed, Fault> {
    if let Some(offence) = archive.first_offence() {
        return Err(offence.clone().into());
    }
    let names = Packed::names(archive.root.clone());
    let base = match located(&names, Path::new("")) {
        Located::Folder(base) => base,
        Located::Archive(_) | Located::Several(_) | Located::Nothing => PathBuf::new(),
    };
    below(source, archive, &base, wanted)
}

/// Returns the folder `base` of an archive as a tree of its own.
fn below<S: Source + ?Sized>(
    source: &S,
    archive: &Archive,
    base: &Path,
    wanted: &[(PathBuf, u64)],
) -> Result<Packed, Fault> {
    let files: Vec<(PathBuf, u64)> =
        wanted.iter().map(|(path, limit)| (base.join(path), *limit)).collect();
    let taken = archive.contents(source, &files)?;
    let taken = taken.into_iter().filter_map(|(path, content)| {
        path.strip_prefix(base).ok().map(|path| (path.to_owned(), content))
    });
    let taken = taken.collect();
    let root = archive.root.at(base).cloned();
    let root = root.ok_or(Offence::Broken("its list has changed"))?;
    Ok(Packed { root, taken })
}

impl Within {
    fn open(&self, wanted: &[(PathBuf, u64)]) -> Result<Packed, Fault> {
        let Bulk { file, archive, .. } = &*self.bulk;
        if let Some(offence) = archive.offence_below(&self.whole) {
            return Err(offence.clone().into());
        }
        if !self.is_archive {
            return below(file, archive, &self.inside, wanted);
        }
        let limit = Limits::SUBMISSION.archive_bytes;
        let found = archive.contents(file, &[(self.inside.clone(), limit)])?;
        match found.into_values().next() {
            Some(Content::Bytes(bytes)) => {
                let bytes = bytes.as_slice();
                packed(bytes, &Archive::open(bytes, &Limits::SUBMISSION)?, wanted)
            }
            Some(Content::TooLong) => {
                let bytes = archive.root.at(&self.inside).map_or(0, |node| node.size);
                Err(Offence::Large { bytes, limit }.into())
            }
            Some(Content::Other(_)) | None => Err(Offence::NoArchive.into()),
        }
    }
}

/// Returns the files to read from an archive for an assignment that asks for `names` below `src/`.
pub(crate) fn sources<'a, I: IntoIterator<Item = &'a String>>(
    names: I,
    limit: u64,
) -> Vec<(PathBuf, u64)> {
    names.into_iter().map(|name| (Path::new(SRC).join(name), limit)).collect()
}
