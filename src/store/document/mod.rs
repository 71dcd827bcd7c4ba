//! How a record is written down: the `--format json` document and `records/ID.json`.
//!
//! Invariant: the same records give the same bytes, and reading what was written and writing it
//! again gives them once more.
//!
//! Two documents share their parts:
//!
//! ```text
//! a class   {"format_version": 1, "grader": {…}, "records": [{…}, …]}
//! a record  {"format_version": 1, "grader": {…}, "record": {…}}
//! ```
//!
//! Adding a field keeps [`FORMAT_VERSION`]; changing or removing one raises it.
//! A reader skips fields that it does not know.
//! What a submission cost is left out: it differs from run to run.

mod fields;
mod shape;
mod text;
mod trained;

use crate::model::{Grader, Record, Run};

/// The version of both documents.
pub const FORMAT_VERSION: u32 = 1;

/// A document that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not JSON, or lacks something, or holds something that cannot be.
    #[error("not a record: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of the grader wrote it.
    #[error(
        "the record has format version {found}, and this grader reads version {FORMAT_VERSION}: \
         use the grader that wrote it, or grade the submission again"
    )]
    Version {
        /// The version that it names.
        found: u32,
    },
}

/// The document of a whole run, as `--format json` prints it; it ends in a newline.
///
/// # Errors
///
/// None that a record can bring about; the serializer's signature has one.
pub fn write_run(run: &Run) -> Result<String, serde_json::Error> {
    text::pretty(&shape::RunDocument::of(run))
}

/// The document of one record, as `records/ID.json` holds it; it ends in a newline.
///
/// # Errors
///
/// None that a record can bring about; the serializer's signature has one.
pub fn write_record(grader: &Grader, record: &Record) -> Result<String, serde_json::Error> {
    text::pretty(&shape::RecordDocument::of(grader, record))
}

/// The record in the document of one, and the grader that made it.
///
/// # Errors
///
/// When `text` is no such document, or of another version.
pub fn read_record(text: &str) -> Result<(Grader, Record), ReadError> {
    // The version first: a later document may have a shape of which nothing here knows.
    let versioned: shape::Versioned = serde_json::from_str(text)?;
    if versioned.format_version != FORMAT_VERSION {
        return Err(ReadError::Version { found: versioned.format_version });
    }
    let document: shape::RecordDocument<'_> = serde_json::from_str(text)?;
    Ok(document.into_model())
}
