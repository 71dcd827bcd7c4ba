//! Documents that hold records: the `--format json` document and `records/ID.json`.
//!
//! Invariant: the same records give the same bytes, and a document that is read and written again has the
//! same bytes.
//!
//! ```text
//! a class   {"format_version": 1, "grader": {…}, "records": [{…}, …]}
//! a record  {"format_version": 1, "grader": {…}, "record": {…}}
//! ```
//!
//! The serde attributes in [`crate::model`] define the fields of a grader and of a record.
//! Adding a field keeps [`FORMAT_VERSION`]; changing or removing one raises it.
//! A reader skips fields that it does not know.
//! The cost of grading is not stored: it differs from run to run.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use softmark_untrusted::is_unprintable;

use crate::model::{Grader, Record, Run};

/// The version of both documents.
pub const FORMAT_VERSION: u32 = 1;

/// Error of a document that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not JSON, lacks a field or has an invalid value.
    #[error("not a record: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of the grader wrote it.
    #[error(
        "the record has format version {found}, and this grader reads version {FORMAT_VERSION}: \
         use the grader that wrote it, or grade the submission again"
    )]
    Version {
        /// The version in the document.
        found: u32,
    },
}

/// The version of any document, whatever else is in it.
#[derive(Debug, Deserialize)]
struct Versioned {
    format_version: u32,
}

/// The document of a run.
#[derive(Debug, Serialize)]
struct RunDocument<'a> {
    format_version: u32,
    grader: &'a Grader,
    records: &'a [Record],
}

/// The document of one record: with references to write it, with values to read it.
#[derive(Debug, Serialize, Deserialize)]
struct RecordDocument<G, R> {
    format_version: u32,
    grader: G,
    record: R,
}

/// Returns the document of a run, as `--format json` prints it; it ends in a newline.
///
/// # Errors
///
/// No record causes one; the serializer's signature has it.
pub fn write_run(run: &Run) -> Result<String, serde_json::Error> {
    let Run { grader, records } = run;
    pretty(&RunDocument { format_version: FORMAT_VERSION, grader, records })
}

/// Returns the document of one record, as `records/ID.json` holds it; it ends in a newline.
///
/// # Errors
///
/// No record causes one; the serializer's signature has it.
pub fn write_record(grader: &Grader, record: &Record) -> Result<String, serde_json::Error> {
    pretty(&RecordDocument { format_version: FORMAT_VERSION, grader, record })
}

/// Reads the document of one record: the grader that made it, and the record.
///
/// # Errors
///
/// Fails if `text` is no such document, or has another version.
pub fn read_record(text: &str) -> Result<(Grader, Record), ReadError> {
    // The version first: a later document may have fields of which nothing here knows.
    let versioned: Versioned = serde_json::from_str(text)?;
    if versioned.format_version != FORMAT_VERSION {
        return Err(ReadError::Version { found: versioned.format_version });
    }
    let document: RecordDocument<Grader, Record> = serde_json::from_str(text)?;
    Ok((document.grader, document.record))
}

/// Returns `value` as indented JSON that is safe to print and ends in a newline.
///
/// JSON allows characters in strings on which a terminal acts: the second block of control characters,
/// and marks that change the direction of writing. They are written as `\u` escapes, which every reader of
/// JSON decodes.
pub(crate) fn pretty(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string_pretty(value)?;
    let mut text = String::with_capacity(json.len() + 1);
    for character in json.chars() {
        // Outside strings the document is printable ASCII and newlines, so whatever else needs an
        // escape stands in a string.
        if is_unprintable(character) && character != '\n' {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a `String` cannot fail.
                write!(text, "\\u{unit:04x}").ok();
            }
        } else {
            text.push(character);
        }
    }
    text.push('\n');
    Ok(text)
}
