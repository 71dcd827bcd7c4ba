//! Formats of what a command prints that is no record, and their names.

use std::str::FromStr;

/// Format of an audit, a comparison, statistics, or what the ledger tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentFormat {
    /// Text for a terminal.
    Terminal,
    /// JSON for programs.
    Json,
    /// A self-contained HTML page.
    Html,
}

impl DocumentFormat {
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
pub struct UnknownDocumentFormat(String);

impl FromStr for DocumentFormat {
    type Err = UnknownDocumentFormat;

    fn from_str(name: &str) -> Result<Self, UnknownDocumentFormat> {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|format| format.as_str() == name);
        found.ok_or_else(|| UnknownDocumentFormat(name.to_owned()))
    }
}
