//! Files of a release: path in the release → content.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::release::error::ReleaseError;

/// Files of a release.
pub(super) type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// Folders that programs make, and that are in no release.
const MADE: [&str; 3] = ["pictures", "results", "target"];

/// Folders of a crate with which only its own authors test it.
const TESTS: [&str; 4] = ["benches", "examples", "proptest-regressions", "tests"];

/// Adds the files below `folder` at `place`, but for manifests, hidden files and what programs make. Of the packages that
/// the student's own is built from, tests are left out.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub(super) fn add(
    tree: &mut Tree,
    (folder, place): (&Path, &Path),
    skipped: &[PathBuf],
) -> Result<(), ReleaseError> {
    let is_own = place.as_os_str().is_empty();
    for entry in fs::read_dir(folder).map_err(|e| ReleaseError::io("read", folder, e))? {
        let entry = entry.map_err(|e| ReleaseError::io("read", folder, e))?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let is_left_out = name.starts_with('.')
            || name == "Cargo.toml"
            || skipped.contains(&path)
            || (path.is_dir() && MADE.contains(&&*name))
            || (path.is_dir() && !is_own && TESTS.contains(&&*name));
        if !is_left_out {
            add_all(tree, &path, &place.join(&*name))?;
        }
    }
    Ok(())
}

/// Adds all files of a released folder.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub(super) fn copy(tree: &mut Tree, folder: &Path) -> Result<(), ReleaseError> {
    for entry in fs::read_dir(folder).map_err(|e| ReleaseError::io("read", folder, e))? {
        let entry = entry.map_err(|e| ReleaseError::io("read", folder, e))?;
        add_all(tree, &entry.path(), Path::new(&entry.file_name()))?;
    }
    Ok(())
}

/// Adds a file, or all files of a folder but for hidden ones.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub(super) fn add_all(tree: &mut Tree, path: &Path, place: &Path) -> Result<(), ReleaseError> {
    if path.is_file() {
        let content = fs::read(path).map_err(|e| ReleaseError::io("read", path, e))?;
        tree.insert(place.to_owned(), content);
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(|e| ReleaseError::io("read", path, e))? {
        let entry = entry.map_err(|e| ReleaseError::io("read", path, e))?;
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with('.') {
            add_all(tree, &entry.path(), &place.join(name))?;
        }
    }
    Ok(())
}

/// Writes the files into `folder`.
///
/// # Errors
///
/// Fails if a file cannot be written.
pub(super) fn write(tree: &Tree, folder: &Path) -> Result<(), ReleaseError> {
    for (path, content) in tree {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| ReleaseError::io("make", parent, e))?;
        }
        fs::write(&path, content).map_err(|e| ReleaseError::io("write", &path, e))?;
    }
    Ok(())
}
