//! Places in files, and errors in data.

use std::fmt;
use std::io;
use std::sync::Arc;

/// A place in a file, such as the source of an example or the location of an error.
///
/// ```
/// use softmark_data::Location;
///
/// let file = Location::file("TREC_10.label");
/// assert_eq!(file.line(3).to_string(), "TREC_10.label:3");
/// assert_eq!(file.to_string(), "TREC_10.label");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    file: Arc<str>,
    line: Option<usize>,
}

impl Location {
    /// Returns the place of a whole file. All places in a file share its name.
    pub fn file(name: &str) -> Self {
        Self { file: name.into(), line: None }
    }

    /// Returns the place of a line of the same file, counted from 1.
    #[must_use]
    pub fn line(&self, number: usize) -> Self {
        Self { file: Arc::clone(&self.file), line: Some(number) }
    }

    /// Returns the file's name as given.
    pub fn name(&self) -> &str {
        &self.file
    }

    /// Returns the line, counted from 1; `None` for the whole file.
    pub fn number(&self) -> Option<usize> {
        self.line
    }

    /// Returns an error at this place.
    pub fn error(&self, reason: Reason) -> DataError {
        DataError { place: self.clone(), reason: Box::new(reason) }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// An error in data, with its place and reason.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct DataError {
    /// The file, and the line if the error is in one.
    pub place: Location,
    /// Reason of the error.
    #[source]
    pub reason: Box<Reason>,
}

/// Reasons of errors in data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The file or folder could not be read.
    #[error("cannot be read: {0}")]
    Io(#[source] io::Error),
    /// The path is not a regular file; reading it might never end.
    #[error("is no regular file; only those are read")]
    NotAFile,
    /// The size is above a limit.
    #[error("has more than {limit} {unit}, which is the most that is read")]
    TooLarge {
        /// The limit.
        limit: u64,
        /// Unit of the limit.
        unit: &'static str,
    },
    /// Bytes are not UTF-8.
    #[error(
        "is not UTF-8 (byte 0x{byte:02x} at column {column}); a file of 8-bit text has to be read as Latin-1 or Windows-1252"
    )]
    NotUtf8 {
        /// The first invalid byte.
        byte: u8,
        /// Position of the byte in its line, in bytes, counted from 1.
        column: usize,
    },
    /// A row does not follow the format.
    #[error("{what}; a row is {form}")]
    Row {
        /// Description of the error.
        what: String,
        /// Format expected.
        form: &'static str,
    },
    /// A label is not among the classes.
    #[error("the label `{found}` is not known; known are {}", known.join(", "))]
    UnknownLabel {
        /// The label, shortened to 40 characters.
        found: String,
        /// The classes.
        known: Vec<String>,
    },
    /// A required text is missing.
    #[error("has no text")]
    NoText,
    /// The file is empty.
    #[error("has no rows")]
    Empty,
    /// A class has no examples.
    #[error("the class `{class}` has no examples")]
    EmptyClass {
        /// The class.
        class: String,
    },
    /// A class is named twice, or there are no classes.
    #[error("the classes have to be at least one and different ones, not {}", classes.join(", "))]
    Classes {
        /// The classes.
        classes: Vec<String>,
    },
    /// The name of a file does not follow the format.
    #[error("the name has to be {form}: {what}")]
    Name {
        /// Description of the error.
        what: String,
        /// Format expected.
        form: &'static str,
    },
    /// A field is not a finite number.
    #[error("field {field} is `{found}`, which is no finite number")]
    Number {
        /// Position of the field in the row, counted from 1.
        field: usize,
        /// The field, shortened to 40 characters.
        found: String,
    },
    /// A row has another count of numbers than the first row.
    #[error("has {found} numbers, but the first line has {wanted}")]
    Ragged {
        /// Count of numbers in this row.
        found: usize,
        /// Count of numbers in the first row.
        wanted: usize,
    },
}

/// Shortens untrusted text for a message: at most 40 characters, and no control characters.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String =
        text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
