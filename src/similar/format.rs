//! Comparisons in each format.

use std::io;

use crate::report::{DocumentFormat, Layout};
use crate::similar::findings::Findings;
use crate::similar::{html, json, terminal};

/// Writes comparisons in `format`; only the terminal has a use for `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(
    findings: Findings<'_>,
    format: DocumentFormat,
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        DocumentFormat::Terminal => terminal::write(findings, layout, out),
        DocumentFormat::Json => json::write(findings, out),
        DocumentFormat::Html => html::write(findings, out),
    }
}
