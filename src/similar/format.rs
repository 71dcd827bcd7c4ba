//! Output formats of a comparison, and their names.

use std::io;
use std::str::FromStr;

use crate::report::Layout;
use crate::similar::findings::Findings;
use crate::similar::{html, json, terminal};

/// An output format of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Text for a terminal.
    Terminal,
    /// JSON for programs.
    Json,
    /// A self-contained HTML page with the code side by side.
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

/// Writes comparisons in `format`; only the terminal has a use for `layout`.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(
    findings: Findings<'_>,
    format: Format,
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        Format::Terminal => terminal::write(findings, layout, out),
        Format::Json => json::write(findings, out),
        Format::Html => html::write(findings, out),
    }
}
