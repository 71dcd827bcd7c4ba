//! A limit of memory that hangs on the size of the input, not on what the input says.

use std::alloc::System;
use std::path::PathBuf;

use cap::Cap;
use softmark::intake::archive::{Contents, Limits, Offence, read_bytes};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// What may be allocated whatever the input: messages, tables, buffers of fixed size.
const BASE: usize = 1 << 20;

/// Does something that may allocate a megabyte and so many bytes more. More than that is refused,
/// which ends the program.
fn within<T>(more: usize, work: impl FnOnce() -> T) -> T {
    let most = ALLOCATOR.allocated().saturating_add(BASE).saturating_add(more);
    // Refused only where more is already in use.
    assert!(ALLOCATOR.set_limit(most).is_ok());
    let done = work();
    assert!(ALLOCATOR.set_limit(usize::MAX).is_ok());
    done
}

/// Puts `data` to `property`, which may allocate a megabyte and `factor` bytes for each byte of
/// `data` at a time.
pub fn bounded(data: &[u8], factor: usize, property: fn(&[u8])) {
    within(data.len() * factor, || property(data));
}

/// Reads an archive, and may allocate what its limits and what is asked for allow.
///
/// A folder with one thing in it, the dearest entry there is, takes less than two kilobytes, and
/// what is wrong with an entry as much again. The longest header of a tar archive, of all that may
/// come out, is there up to four times: it is read into room that doubles, and its value taken out.
pub fn read_archive(
    bytes: &[u8],
    limits: &Limits,
    wanted: &[PathBuf],
    most_bytes: u64,
) -> Result<Contents, Offence> {
    let out = Limits::SMALL.max(bytes.len() as u64 * limits.ratio).min(limits.total_bytes);
    let header = usize::try_from(out.min(1 << 20)).unwrap_or(usize::MAX);
    let asked = usize::try_from(most_bytes).unwrap_or(usize::MAX).saturating_mul(wanted.len());
    let more = 4 * header + (4 << 10) * limits.entries + 2 * asked + 16 * bytes.len();
    within(more, || read_bytes(bytes, limits, wanted, most_bytes))
}
