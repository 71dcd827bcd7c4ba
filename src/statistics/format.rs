//! Formats of statistics.

use std::io;

use super::class::Statistics;
use super::{html, json, terminal};
use crate::ledger::Format;
use crate::report::Layout;

/// Writes the statistics of assignments; only the terminal uses `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(
    all: &[Statistics],
    (format, layout): (Format, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        Format::Terminal => terminal::write(all, layout, out),
        Format::Json => json::write(all, out),
        Format::Html => html::write(all, out),
    }
}
