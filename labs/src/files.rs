//! Files of results, written whole or not at all.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Writes a file under another name and renames it.
///
/// # Errors
///
/// Fails if the file cannot be written; the message names it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let shown = || format!("{} cannot be written", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(shown)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    fs::write(&new, bytes).and_then(|()| fs::rename(&new, path)).with_context(shown)
}

/// Removes a file, if there is one.
///
/// # Errors
///
/// Fails if the file exists and cannot be removed.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("{} cannot be removed", path.display())),
    }
}
