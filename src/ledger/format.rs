//! Output of the ledger in each format.

use std::io;

use super::diff::Diff;
use super::log::History;
use super::{html, json, log_json, terminal};
use crate::report::{DocumentFormat, Layout};
use crate::store::SavedRun;

/// Writes the history of a submission; only the terminal uses `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write_log(
    history: &History,
    (format, layout): (DocumentFormat, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        DocumentFormat::Terminal => terminal::log::write(history, layout, out),
        DocumentFormat::Json => log_json::write(history, out),
        DocumentFormat::Html => html::write_log(history, out),
    }
}

/// Writes the list of runs; only the terminal uses `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write_runs(
    runs: &[SavedRun],
    (format, layout): (DocumentFormat, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        DocumentFormat::Terminal => terminal::runs::write(runs, layout, out),
        DocumentFormat::Json => json::write_runs(runs, out),
        DocumentFormat::Html => html::write_runs(runs, out),
    }
}

/// Writes the difference of two results; only the terminal uses `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write_diff(
    diff: &Diff,
    (format, layout): (DocumentFormat, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        DocumentFormat::Terminal => terminal::diff::write(diff, layout, out),
        DocumentFormat::Json => json::write_diff(diff, out),
        DocumentFormat::Html => html::write_diff(diff, out),
    }
}
