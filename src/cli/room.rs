//! Free space on the disk.

use std::path::Path;

use nix::sys::statvfs::statvfs;

/// Free space in MiB that is needed to compile submissions.
pub(crate) const ROOM_TO_GRADE: u64 = 256;

/// Returns the free space at `path`, in MiB.
pub(crate) fn free_mebibytes(path: &Path) -> nix::Result<u64> {
    let stat = statvfs(path)?;
    Ok(stat.blocks_available().saturating_mul(stat.fragment_size()) >> 20)
}

/// Formats a number of MiB in GiB.
pub(crate) fn gibibytes(mebibytes: u64) -> String {
    format!("{}.{} GiB", mebibytes / 1024, mebibytes % 1024 * 10 / 1024)
}
