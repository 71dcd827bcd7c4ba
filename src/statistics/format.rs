//! Formats of statistics.

use std::io;

use super::class::Statistics;
use super::{html, json, terminal};
use crate::report::{DocumentFormat, Layout};

/// Writes the statistics of assignments; only the terminal uses `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(
    all: &[Statistics],
    (format, layout): (DocumentFormat, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        DocumentFormat::Terminal => terminal::write(all, layout, out),
        DocumentFormat::Json => json::write(all, out),
        DocumentFormat::Html => html::write(all, out),
    }
}
