//! Output formats of records, and their names.

use std::fmt;
use std::io;
use std::str::FromStr;

use crate::report::audience::View;
use crate::report::terminal::Layout;
use crate::report::{classroom, csv, gradescope, html, json, junit, markdown, terminal};
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
    /// Markdown, for issues, wikis and messages.
    Markdown,
    /// The gradebook as CSV.
    Csv,
    /// Gradescope's `results.json`, of one submission.
    Gradescope,
    /// Result for the reporter of GitHub Classroom, of one submission.
    Classroom,
}

impl Format {
    /// Every format, in the order in which help shows them.
    pub const ALL: [Self; 8] = [
        Self::Terminal,
        Self::Json,
        Self::Junit,
        Self::Html,
        Self::Markdown,
        Self::Csv,
        Self::Gradescope,
        Self::Classroom,
    ];

    /// True if a document in this format is about one submission.
    pub fn takes_one(self) -> bool {
        matches!(self, Self::Gradescope | Self::Classroom)
    }

    /// Returns the format's name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Gradescope => "gradescope",
            Self::Classroom => "classroom",
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
#[error(
    "no format is called `{0}`: use terminal, json, junit, html, markdown, csv, gradescope or classroom"
)]
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

/// Writes a run in `format`, with the summaries of mistakes from `catalog`; only the terminal uses `layout`.
///
/// The terminal shows a run of one submission in full, and any other as a class. The formats of Gradescope and
/// GitHub Classroom show no more than students may see, whoever the view is for.
///
/// # Errors
///
/// Fails if `out` cannot be written to, or `format` takes [one submission](Format::takes_one) and the run does not have
/// exactly one record ([`io::ErrorKind::InvalidInput`]).
pub fn write(
    view: &View<'_>,
    catalog: Catalog,
    (format, layout): (Format, Layout),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match (format, view.run().records.as_slice()) {
        (Format::Terminal, [record]) => terminal::submission(view, record, (layout, catalog), out),
        (Format::Terminal, _) => terminal::class(view, layout, out),
        (Format::Json, _) => json::write(view, out),
        (Format::Junit, _) => junit::write(view, out),
        (Format::Html, _) => html::write(view, catalog, out),
        (Format::Markdown, _) => markdown::write(view, catalog, out),
        (Format::Csv, _) => csv::write(view, out),
        (Format::Gradescope, _) => gradescope::write(view, out),
        (Format::Classroom, _) => classroom::write(view, out),
    }
}
