//! Folder of the packs, which all courses of a user share.
//!
//! ```text
//! <cache>/packs/<key>/   one pack
//! <cache>/cargo/         cargo's build folder
//! <cache>/lock           held while a pack is built
//! ```

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, DirEntry, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::stat::futimens;
use nix::sys::time::TimeSpec;
use nix::unistd::geteuid;

use crate::build::error::BuildError;

/// Names of files and folders in the cache.
pub(crate) const CARGO: &str = "cargo";
pub(crate) const PACKS: &str = "packs";
pub(crate) const LOCK: &str = "lock";

/// Name of the file in a pack that lists its content. Its lock says that the pack is in use, and its time of
/// modification is that of the last use.
pub(crate) const INDEX: &str = "pack.json";

/// Ending of the name of a pack that is being written.
pub(crate) const NEW: &str = "new";

/// Most packs that are kept. A pack takes 0.35 GiB, and each change of a course's solutions makes another one: eight are
/// enough for a few courses, their last versions, and two toolchains, and take less than 3 GiB.
const MAX_PACKS: usize = 8;

/// Time after which a pack is deleted that nobody has used: those of courses and toolchains that are no longer there.
const MAX_UNUSED: Duration = Duration::from_hours(30 * 24);

/// Size of cargo's folder in bytes above which it is emptied after a build. One build takes 0.8 GiB, and cargo never
/// deletes what other toolchains and former versions of libraries have left there.
const MAX_CARGO_BYTES: u64 = 4 << 30;

/// Makes the cache if there is none, and returns its full path.
///
/// # Errors
///
/// Fails if others could write into the cache.
pub(crate) fn open(cache: &Path) -> Result<PathBuf, BuildError> {
    let packs = cache.join(PACKS);
    make_private(&packs).map_err(|source| BuildError::io("make", &packs, source))?;
    check(cache)?;
    cache.canonicalize().map_err(|source| BuildError::io("find", cache, source))
}

/// Makes a folder, and those above it if they are missing, for this user alone; folders that exist are left as they are.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Checks that nobody but this user and root can write into the cache, as far as it exists. What is in it becomes part of
/// the programs that grade, and whoever can write there could change digests as well as libraries.
///
/// # Errors
///
/// Fails if others could write there.
pub(crate) fn check(cache: &Path) -> Result<(), BuildError> {
    for folder in [cache.to_owned(), cache.join(PACKS), cache.join(CARGO)] {
        let metadata = match fs::metadata(&folder) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(BuildError::io("read", &folder, error)),
        };
        if metadata.uid() != geteuid().as_raw() {
            return Err(BuildError::ForeignCache { folder });
        }
        if metadata.mode() & 0o022 != 0 {
            return Err(BuildError::OpenCache { folder });
        }
    }
    Ok(())
}

/// Notes that the pack with this index is in use now.
pub(crate) fn mark_used(index: &File) {
    // Where that is not possible, as on a read-only disk, nothing is deleted either.
    futimens(index, &TimeSpec::UTIME_NOW, &TimeSpec::UTIME_NOW).ok();
}

/// Deletes what nobody needs any more, while the lock of the cache is held: packs that are not in use and that were not
/// used for [`MAX_UNUSED`], or since [`MAX_PACKS`] others were; packs that were never completed; a folder of cargo that has
/// grown too large.
pub(crate) fn clean(cache: &Path) -> io::Result<()> {
    let mut packs = Vec::new();
    for entry in fs::read_dir(cache.join(PACKS))? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new(NEW)) {
            fs::remove_dir_all(&path)?;
        } else if let Ok(index) = fs::metadata(path.join(INDEX)) {
            packs.push((index.modified()?, path));
        }
    }
    packs.sort();
    packs.reverse();
    // The newest pack was used just now, so no clock is needed.
    let newest = packs.first().map(|(used, _)| *used);
    for (at, (used, path)) in packs.iter().enumerate() {
        let unused = newest.and_then(|newest| newest.duration_since(*used).ok());
        let is_old = unused.is_some_and(|unused| unused > MAX_UNUSED);
        let is_free = || File::open(path.join(INDEX)).is_ok_and(|index| index.try_lock().is_ok());
        if (is_old || at >= MAX_PACKS) && is_free() {
            fs::remove_dir_all(path)?;
        }
    }
    let cargo = cache.join(CARGO);
    if size(&cargo) > MAX_CARGO_BYTES { fs::remove_dir_all(&cargo) } else { Ok(()) }
}

/// Returns the size in bytes of all files below a folder, except for those that vanish meanwhile.
pub(crate) fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size_of = |entry: DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.blocks() * 512,
        Err(_) => 0,
    };
    entries.map(size_of).sum()
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn a_new_cache_is_for_its_user_alone() {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().join("user/softmark");
        assert!(check(&cache).is_ok(), "there is nothing to check yet");
        open(&cache).unwrap();
        for folder in [dir.path().join("user"), cache.join(PACKS), cache] {
            assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        }
    }

    #[test]
    fn a_cache_that_others_could_write_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().join("softmark");
        open(&cache).unwrap();
        make_private(&cache.join(CARGO)).unwrap();
        for folder in [cache.clone(), cache.join(PACKS), cache.join(CARGO)] {
            for (mode, is_safe) in [(0o755, true), (0o775, false), (0o702, false), (0o700, true)] {
                fs::set_permissions(&folder, Permissions::from_mode(mode)).unwrap();
                let refused = matches!(open(&cache), Err(BuildError::OpenCache { folder: it }) if it == folder);
                assert_eq!(!refused, is_safe, "{mode:o} {}", folder.display());
                assert_eq!(check(&cache).is_ok(), is_safe);
            }
        }
    }

    #[test]
    fn a_cache_of_another_user_is_refused() {
        // Whoever runs this is either root, and so not the owner of what belongs to nobody, or not the owner of `/`.
        let dir = tempfile::tempdir().unwrap();
        let foreign = if geteuid().is_root() {
            nix::unistd::chown(dir.path(), Some(65_534.into()), None).unwrap();
            dir.path()
        } else {
            Path::new("/")
        };
        let error = check(foreign).unwrap_err();
        assert!(matches!(error, BuildError::ForeignCache { .. }), "{error}");
    }
}
