//! The `--format json` document: what [`crate::store::document`] makes of a run.
//!
//! Texts in it (names, `reason`, `message`, `evidence`, `notes`, `log`) are for people. What a
//! student wrote stands in them as it is: any Unicode text, with control characters and marks that
//! turn the direction of writing as JSON escapes, and bytes that are no UTF-8 replaced. So the
//! document is safe to print, and whoever shows a text of it elsewhere has to escape it for that
//! place. None of them is markup, a path to follow or a verdict: what a program needs is in the other
//! fields. A part of a `message` that comes from a worker has at most 16 KiB, a name 256 bytes, the
//! `log` 4 KiB, and the compiler's `reason` 16 KiB.

use std::io;

use crate::report::audience::View;
use crate::store::document;

pub use crate::store::document::{ReadError, read_record, write_record};

/// Writes the document of a run.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(document::write_run(view.run())?.as_bytes())
}
