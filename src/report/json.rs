//! The `--format json` document: what [`crate::store::document`] makes of a run.

use std::io;

use crate::model::Run;
use crate::store::document;

pub use crate::store::document::{ReadError, read_record, write_record};

/// Writes the document of a run.
///
/// # Errors
///
/// When `out` cannot be written to.
pub fn write(run: &Run, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(document::write_run(run)?.as_bytes())
}
