//! A package as a zip archive.

use std::io::{self, Write as _};
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::package::error::PackageError;
use crate::package::files::Files;

/// Writes the files into a zip archive at `path`, which appears when it is complete. Its bytes depend on the files alone.
/// Returns its size in bytes.
///
/// # Errors
///
/// Fails if a file cannot be read, or the archive cannot be written.
pub(super) fn write(files: &Files, path: &Path) -> Result<u64, PackageError> {
    let failed = |source: io::Error| PackageError::io("write", path, source);
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft = tempfile::Builder::new().tempfile_in(parent).map_err(failed)?;
    let mut archive = ZipWriter::new(draft.as_file());
    for (place, file) in files.iter() {
        let options = SimpleFileOptions::DEFAULT.unix_permissions(file.mode);
        archive.start_file_from_path(place, options).map_err(|error| failed(error.into()))?;
        archive.write_all(&file.bytes()?).map_err(failed)?;
    }
    archive.finish().map_err(|error| failed(error.into()))?;
    let bytes = draft.as_file().metadata().map_err(failed)?.len();
    // Only the user may read the draft, and so the archive: it holds the course's secret and the hidden checks.
    draft.persist(path).map_err(|error| failed(error.error))?;
    Ok(bytes)
}
