//! The thin edge where files are read, within limits.
//!
//! | limit | value | why |
//! |---|---|---|
//! | [`MAX_FILE_BYTES`] | 256 MiB | the largest text file meant, GloVe's 400,000 words of 50 numbers, has 171 MB |
//! | [`MAX_DOCUMENT_BYTES`] | 4 MiB | a post or a review; long ones have 75 kB |
//! | [`MAX_DOCUMENTS`] | 200,000 | files of one folder; IMDB has 12,500 |
//!
//! Memory grows with what has been read, never with what a file or a folder says of itself. Links are
//! followed, for the Hub's cache consists of them; what is neither file nor folder is refused.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::fault::{DataError, Place, Reason};

/// The most bytes of a file with many rows.
pub const MAX_FILE_BYTES: u64 = 256 << 20;
/// The most bytes of a file that is one example.
pub const MAX_DOCUMENT_BYTES: u64 = 4 << 20;
/// The most files of a folder whose files are examples.
pub const MAX_DOCUMENTS: usize = 200_000;

/// The place that stands for a path.
pub fn place(path: &Path) -> Place {
    Place::file(&path.display().to_string())
}

/// The bytes of a regular file, if they are `limit` at most.
///
/// # Errors
///
/// [`Reason::Io`], [`Reason::NotAFile`] for a pipe, device or folder, or [`Reason::TooLarge`].
pub fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, DataError> {
    let failed = |error| place(path).error(Reason::Io(error));
    // Before it is opened: to open a pipe is to wait for who writes to it.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(place(path).error(Reason::NotAFile));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(place(path).error(Reason::TooLarge { limit, unit: "bytes" }));
    }
    Ok(bytes)
}

/// The names of what is in a folder and not hidden, in their order.
///
/// # Errors
///
/// [`Reason::Io`], [`Reason::TooLarge`] for more than [`MAX_DOCUMENTS`] entries, [`Reason::Name`] for
/// a name that is not UTF-8.
pub fn names(folder: &Path) -> Result<Vec<String>, DataError> {
    let failed = |error| place(folder).error(Reason::Io(error));
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().into_string().map_err(|name| {
            let what = format!("`{}` is not", name.display());
            place(folder).error(Reason::Name { what, form: "UTF-8" })
        })?;
        if name.starts_with('.') {
            continue;
        }
        if names.len() == MAX_DOCUMENTS {
            let limit = MAX_DOCUMENTS as u64;
            return Err(place(folder).error(Reason::TooLarge { limit, unit: "files" }));
        }
        names.push(name);
    }
    names.sort_unstable();
    Ok(names)
}
