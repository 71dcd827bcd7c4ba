//! Files that only one user of the machine may read.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Bits of the mode that let the group and everybody else read, write or run a file.
const OTHERS: u32 = 0o077;

/// Returns true if nobody but its owner may read, write or run the file.
///
/// # Errors
///
/// Fails if the file cannot be looked at.
pub fn is_private(path: &Path) -> io::Result<bool> {
    Ok(fs::metadata(path)?.mode() & OTHERS == 0)
}
