//! A released folder as a zip archive.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::release::error::ReleaseError;

/// Writes the archive of a released folder beside it: all files below a folder of the same name. Its bytes depend on the
/// files alone.
///
/// # Errors
///
/// Fails if a file cannot be read, or the archive cannot be written.
pub(super) fn write(folder: &Path) -> Result<PathBuf, ReleaseError> {
    let path = folder.with_extension("zip");
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let failed = |source: io::Error| ReleaseError::io("write", &path, source);
    let mut archive = ZipWriter::new(File::create(&path).map_err(failed)?);
    let root = folder.file_name().map(PathBuf::from).unwrap_or_default();
    for file in files {
        let place = root.join(file.strip_prefix(folder).unwrap_or(&file));
        let content = fs::read(&file).map_err(|e| ReleaseError::io("read", &file, e))?;
        archive
            .start_file_from_path(place, SimpleFileOptions::DEFAULT)
            .map_err(|e| failed(e.into()))?;
        archive.write_all(&content).map_err(failed)?;
    }
    archive.finish().map_err(|error| failed(error.into()))?;
    Ok(path)
}

/// Adds the paths of all files below `folder`.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), ReleaseError> {
    for entry in fs::read_dir(folder).map_err(|e| ReleaseError::io("read", folder, e))? {
        let path = entry.map_err(|e| ReleaseError::io("read", folder, e))?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
