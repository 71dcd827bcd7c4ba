//! Output formats of records, and their names.

use std::fmt;
use std::io;
use std::str::FromStr;

use crate::model::Run;
use crate::report::terminal::Layout;
use crate::report::{csv, gradescope, html, json, junit, terminal};
use crate::suite::Catalog;

/// An output format of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Text for a terminal.
    Terminal,
    /// JSON for programs, as documented.
    Json,
    /// JUnit XML for continuous integration.
    Junit,
    /// A self-contained HTML page.
    Html,
    /// The gradebook as CSV.
    Csv,
    /// Gradescope's `results.json`, of one submission.
    Gradescope,
}

impl Format {
    /// Every format, in the order in which help shows them.
    pub const ALL: [Self; 6] =
        [Self::Terminal, Self::Json, Self::Junit, Self::Html, Self::Csv, Self::Gradescope];

    /// Returns the format's name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Html => "html",
            Self::Csv => "csv",
            Self::Gradescope => "gradescope",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Error for a word that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no format is called `{0}`: use terminal, json, junit, html, csv or gradescope")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// Writes `run` in `format`, with the summaries of mistakes from `catalog`; only the terminal uses `layout`.
///
/// The terminal shows a run of one submission in full, and any other as a class.
///
/// # Errors
///
/// Fails if `out` cannot be written to, or `format` is [`Format::Gradescope`] and the run does not have
/// exactly one record ([`io::ErrorKind::InvalidInput`]).
pub fn write(
    run: &Run,
    catalog: Catalog,
    (format, layout): (Format, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match (format, run.records.as_slice()) {
        (Format::Terminal, [record]) => {
            terminal::submission(&run.grader, record, (layout, catalog), out)
        }
        (Format::Terminal, _) => terminal::class(run, layout, out),
        (Format::Json, _) => json::write(run, out),
        (Format::Junit, _) => junit::write(run, out),
        (Format::Html, _) => html::write(run, catalog, out),
        (Format::Csv, _) => csv::write(run, out),
        (Format::Gradescope, [record]) => gradescope::write(&run.grader, record, out),
        (Format::Gradescope, records) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("the gradescope format takes one submission, and there are {}", records.len()),
        )),
    }
}
