//! Audits in each format.

use std::io;

use crate::audit::findings::Findings;
use crate::audit::matrix::Audit;
use crate::audit::{html, json, terminal};
use crate::report::{DocumentFormat, Layout};

/// Writes an audit in `format`; only the terminal has a use for `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(
    (audit, findings): (&Audit, &Findings),
    format: DocumentFormat,
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        DocumentFormat::Terminal => terminal::write(audit, findings, layout, out),
        DocumentFormat::Json => json::write(audit, findings, out),
        DocumentFormat::Html => html::write(audit, findings, out),
    }
}
