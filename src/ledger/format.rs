//! Output formats of the ledger, and their names.

use std::io;
use std::str::FromStr;

use super::diff::Diff;
use super::log::History;
use super::{html, json, log_json, terminal};
use crate::report::Layout;
use crate::store::SavedRun;

/// An output format of the ledger and of statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Text for a terminal.
    Terminal,
    /// JSON for programs.
    Json,
    /// A self-contained HTML page.
    Html,
}

impl Format {
    /// Every format, in the order in which help shows them.
    pub const ALL: [Self; 3] = [Self::Terminal, Self::Json, Self::Html];

    /// Returns the format's name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Json => "json",
            Self::Html => "html",
        }
    }
}

/// Error for a word that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no format is called `{0}`: use terminal, json or html")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.as_str() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// Writes the history of a submission; only the terminal uses `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write_log(
    history: &History,
    (format, layout): (Format, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        Format::Terminal => terminal::log::write(history, layout, out),
        Format::Json => log_json::write(history, out),
        Format::Html => html::write_log(history, out),
    }
}

/// Writes the list of runs; only the terminal uses `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write_runs(
    runs: &[SavedRun],
    (format, layout): (Format, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        Format::Terminal => terminal::runs::write(runs, layout, out),
        Format::Json => json::write_runs(runs, out),
        Format::Html => html::write_runs(runs, out),
    }
}

/// Writes the difference of two results; only the terminal uses `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write_diff(
    diff: &Diff,
    (format, layout): (Format, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        Format::Terminal => terminal::diff::write(diff, layout, out),
        Format::Json => json::write_diff(diff, out),
        Format::Html => html::write_diff(diff, out),
    }
}
