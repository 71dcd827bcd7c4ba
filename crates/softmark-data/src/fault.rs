//! Where something stands in a file, and what can be wrong there.

use std::fmt;
use std::io;
use std::sync::Arc;

/// A place in a file: what an example is from, or where an error is.
///
/// ```
/// use softmark_data::Place;
///
/// let file = Place::file("TREC_10.label");
/// assert_eq!(file.line(3).to_string(), "TREC_10.label:3");
/// assert_eq!(file.to_string(), "TREC_10.label");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    file: Arc<str>,
    line: Option<usize>,
}

impl Place {
    /// A whole file. Its name is shared by all places in it.
    pub fn file(name: &str) -> Self {
        Self { file: name.into(), line: None }
    }

    /// A line of the same file, counted from 1.
    #[must_use]
    pub fn line(&self, number: usize) -> Self {
        Self { file: Arc::clone(&self.file), line: Some(number) }
    }

    /// The file's name as it was handed in.
    pub fn name(&self) -> &str {
        &self.file
    }

    /// The line, counted from 1; `None` for the whole file.
    pub fn number(&self) -> Option<usize> {
        self.line
    }

    /// An error at this place.
    pub fn error(&self, reason: Reason) -> DataError {
        DataError { place: self.clone(), reason: Box::new(reason) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// Data that cannot be used: where, and why.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct DataError {
    /// The file, and the line where one is to blame.
    pub place: Place,
    /// What is wrong.
    #[source]
    pub reason: Box<Reason>,
}

/// What can be wrong with data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The file or folder could not be read.
    #[error("cannot be read: {0}")]
    Io(#[source] io::Error),
    /// Not a regular file, so that reading it could last for ever.
    #[error("is no regular file; only those are read")]
    NotAFile,
    /// More than is read.
    #[error("has more than {limit} {unit}, which is the most that is read")]
    TooLarge {
        /// The limit.
        limit: u64,
        /// What is counted.
        unit: &'static str,
    },
    /// Bytes that are not UTF-8.
    #[error(
        "is not UTF-8 (byte 0x{byte:02x} at column {column}); a file of 8-bit text has to be read as Latin-1 or Windows-1252"
    )]
    NotUtf8 {
        /// The first byte that does not fit.
        byte: u8,
        /// Where in the line it stands, in bytes, counted from 1.
        column: usize,
    },
    /// A row that is not made as the format says.
    #[error("{what}; a row is {form}")]
    Row {
        /// What is wrong with it.
        what: String,
        /// What it has to look like.
        form: &'static str,
    },
    /// A label that is not among the classes.
    #[error("the label `{found}` is not known; known are {}", known.join(", "))]
    UnknownLabel {
        /// The label, shortened to 40 characters.
        found: String,
        /// The classes.
        known: Vec<String>,
    },
    /// No text where one has to be.
    #[error("has no text")]
    NoText,
    /// Nothing at all.
    #[error("has no rows")]
    Empty,
    /// A class without examples.
    #[error("the class `{class}` has no examples")]
    EmptyClass {
        /// The class.
        class: String,
    },
    /// A class that is named twice, or none at all.
    #[error("the classes have to be at least one and different ones, not {}", classes.join(", "))]
    Classes {
        /// The classes.
        classes: Vec<String>,
    },
    /// A file whose name is not made as the format says.
    #[error("the name has to be {form}: {what}")]
    Name {
        /// What is wrong with it.
        what: String,
        /// What it has to look like.
        form: &'static str,
    },
    /// A number that is none, or no finite one.
    #[error("field {field} is `{found}`, which is no finite number")]
    Number {
        /// Which field of the row, counted from 1.
        field: usize,
        /// The field, shortened to 40 characters.
        found: String,
    },
    /// A row with another count of numbers than the first.
    #[error("has {found} numbers, but the first line has {wanted}")]
    Ragged {
        /// How many the row has.
        found: usize,
        /// How many it has to have.
        wanted: usize,
    },
}

/// Text of a stranger for a message: at most 40 characters, and no control characters.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String =
        text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
