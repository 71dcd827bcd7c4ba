//! A released folder as a zip archive.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::release::error::ReleaseError;
use crate::release::tree::{self, Tree};

/// Writes the archive of a released folder beside it: all files below a folder of the same name. Its bytes depend on the
/// files alone.
///
/// # Errors
///
/// Fails if a file cannot be read, or the archive cannot be written.
pub(super) fn write(folder: &Path) -> Result<PathBuf, ReleaseError> {
    let mut files = Tree::new();
    tree::copy(&mut files, folder)?;
    let path = folder.with_extension("zip");
    let failed = |source: io::Error| ReleaseError::io("write", &path, source);
    let mut archive = ZipWriter::new(File::create(&path).map_err(failed)?);
    let root = Path::new(folder.file_name().unwrap_or_default());
    for (file, content) in files {
        archive
            .start_file_from_path(root.join(file), SimpleFileOptions::DEFAULT)
            .map_err(|error| failed(error.into()))?;
        archive.write_all(&content).map_err(failed)?;
    }
    archive.finish().map_err(|error| failed(error.into()))?;
    Ok(path)
}
