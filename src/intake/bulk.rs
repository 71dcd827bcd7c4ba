//! Bulk downloads that contain one archive or one folder for each student.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::intake::archive::{Archive, Fault, Limits};
use crate::intake::error::IntakeError;
use crate::intake::found::{At, Found, MAX_STAMP, STAMP, text_of_stamp};
use crate::intake::locate::{
    Located, Member, called, has_archives_around, located, members, several,
};
use crate::intake::location::{Bulk, Location, Within};
use crate::intake::open::{Content, regular};
use crate::intake::tree::Packed;

/// Finds the submissions in the archive at `path`, which resolves to `whole`: a single one, or one for each
/// student.
pub(crate) fn at(name: &OsStr, path: &Path, whole: &Path) -> Result<At, IntakeError> {
    let read = || IntakeError::read(path);
    let alone = |place| {
        let path = if path.is_symlink() { whole } else { path };
        Ok(At::One(Found::new(crate::intake::archive::stem(name), path.to_owned(), place)))
    };
    let Some(file) = regular(whole).map_err(read())? else {
        return Err(IntakeError::File(path.to_owned()));
    };
    let bytes = file.metadata().map_err(read())?.len();
    let archive = match Archive::open(&file, &Limits::BULK) {
        Ok(archive) => archive,
        Err(Fault::Io(error)) => return Err(read()(error)),
        // It may be one student's; a larger one is not.
        Err(Fault::Offence(offence)) if bytes <= Limits::SUBMISSION.archive_bytes => {
            return alone(Location::Refused(offence.to_string()));
        }
        Err(Fault::Offence(offence)) => {
            return Err(IntakeError::Bulk { path: path.to_owned(), offence });
        }
    };
    let mut tree = Packed::names(archive.root.clone());
    if let Located::Folder(at) = located(&tree, Path::new(""))
        && !has_archives_around(&tree, Path::new(""), &at)
    {
        return alone(Location::Archive);
    }
    let members = members(&tree)?.unwrap_or_default();
    if members.iter().all(|member| member.located == Located::Nothing) {
        return match archive.first_offence() {
            Some(offence) => alone(Location::Refused(offence.to_string())),
            None => Err(IntakeError::Empty(path.to_owned())),
        };
    }
    let of_nobody = archive
        .offences
        .iter()
        .find(|(owner, _)| !members.iter().any(|member| owner.starts_with(&member.inside)));
    if let Some((_, offence)) = of_nobody {
        return Err(IntakeError::Bulk { path: path.to_owned(), offence: offence.clone() });
    }
    let stamps = archive.contents(&file, &stamps(&members));
    tree.taken = stamps.unwrap_or_default();
    let bulk = Arc::new(Bulk { path: path.to_owned(), file, archive });
    Ok(At::Many(members.into_iter().map(|member| found(&bulk, &tree, member)).collect()))
}

/// Returns the paths at which nbgrader's time stamps are expected, each with the most bytes to read.
fn stamps(members: &[Member]) -> Vec<(PathBuf, u64)> {
    let folder = |member: &Member| match &member.located {
        Located::Folder(at) => Some((at.join(STAMP), MAX_STAMP)),
        Located::Archive(_) | Located::Several(_) | Located::Nothing => None,
    };
    members.iter().filter_map(folder).collect()
}

fn found(bulk: &Arc<Bulk>, tree: &Packed, member: Member) -> Found {
    let Member { name, inside: whole, located } = member;
    let (inside, is_archive, holds) = match located {
        Located::Folder(at) => (at, false, true),
        Located::Archive(at) => (at, true, true),
        Located::Several(all) => {
            let path = bulk.path.join(&whole);
            let place = Location::Undecided(several(&path, &all));
            return Found::new(&name, path, place);
        }
        Located::Nothing => (whole.clone(), false, false),
    };
    let stamp = match tree.taken.get(&inside.join(STAMP)) {
        Some(Content::Bytes(bytes)) => text_of_stamp(bytes),
        Some(Content::TooLong | Content::Other(_)) | None => None,
    };
    let called = if is_archive { called(&name, &whole, &inside) } else { &name }.to_owned();
    let path = bulk.path.join(&inside);
    let place = Location::Within(Within { bulk: Arc::clone(bulk), inside, is_archive, whole });
    Found { called, path, place, holds, stamp }
}
