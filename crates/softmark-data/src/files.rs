//! Reading of files within size limits.
//!
//! | limit | value | why |
//! |---|---|---|
//! | [`MAX_FILE_BYTES`] | 256 MiB | the largest text file meant, GloVe's 400,000 words of 50 numbers, has 171 MB |
//! | [`MAX_DOCUMENT_BYTES`] | 4 MiB | a post or a review; long ones have 75 kB |
//! | [`MAX_DOCUMENTS`] | 200,000 | files of one folder; IMDB has 12,500 |
//!
//! Memory grows with the bytes read, never with the size that a file or a folder reports. Links are followed,
//! since the Hub's cache consists of them; anything else that is neither file nor folder is rejected.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::fault::{DataError, Location, Reason};

/// Maximum size of a file with many rows, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;
/// Maximum size of a file that is one example, in bytes.
pub const MAX_DOCUMENT_BYTES: u64 = 4 << 20;
/// Maximum number of files of a folder whose files are examples.
pub const MAX_DOCUMENTS: usize = 200_000;

/// Returns the place of a path.
pub fn location(path: &Path) -> Location {
    Location::file(&path.display().to_string())
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// Fails with [`Reason::Io`], with [`Reason::NotAFile`] for a pipe, device or folder, or with
/// [`Reason::TooLarge`].
pub fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, DataError> {
    let failed = |error| location(path).error(Reason::Io(error));
    // Check before opening: opening a pipe blocks until somebody writes to it.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(location(path).error(Reason::NotAFile));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(location(path).error(Reason::TooLarge { limit, unit: "bytes" }));
    }
    Ok(bytes)
}

/// Returns the names of the entries of a folder that are not hidden, sorted.
///
/// # Errors
///
/// Fails with [`Reason::Io`], with [`Reason::TooLarge`] for more than [`MAX_DOCUMENTS`] entries, or with
/// [`Reason::Name`] for a name that is not UTF-8.
pub fn names(folder: &Path) -> Result<Vec<String>, DataError> {
    let failed = |error| location(folder).error(Reason::Io(error));
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().into_string().map_err(|name| {
            let what = format!("`{}` is not", name.display());
            location(folder).error(Reason::Name { what, form: "UTF-8" })
        })?;
        if name.starts_with('.') {
            continue;
        }
        if names.len() == MAX_DOCUMENTS {
            let limit = MAX_DOCUMENTS as u64;
            return Err(location(folder).error(Reason::TooLarge { limit, unit: "files" }));
        }
        names.push(name);
    }
    names.sort_unstable();
    Ok(names)
}
