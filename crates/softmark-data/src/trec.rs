//! TREC question classification: one `COARSE:fine question` per line.
//!
//! Li and Roth, "Learning Question Classifiers", COLING 2002. The files are Latin-1. The label ends at the
//! first space, and its coarse part at the first colon; questions may contain colons.
//!
//! The fine label (`DESC:manner`) reveals the coarse one, so it is never part of the text but a separate field.

use std::path::Path;

use crate::dataset::{TextDataset, TextExample, class_of};
use crate::decode;
use crate::fault::{DataError, Location, Reason, shown};
use crate::files;

/// The coarse classes: abbreviation, description, entity, human, location, number.
pub const CLASSES: [&str; 6] = ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"];

const FORM: &str = "`COARSE:fine question`";

/// A question and its two labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The question, without its label.
    pub text: String,
    /// Index of the coarse class in [`CLASSES`].
    pub coarse: u32,
    /// The fine label, without the coarse one.
    pub fine: String,
    /// Location of the question.
    pub source: Location,
}

/// Parses the questions in `bytes`, the content of a `.label` file called `file`.
///
/// ```
/// let questions = softmark_data::trec::parse("f.label", b"LOC:city What : is it ?\n")?;
/// assert_eq!(questions[0].text, "What : is it ?");
/// assert_eq!((questions[0].coarse, questions[0].fine.as_str()), (4, "city"));
/// # Ok::<(), softmark_data::DataError>(())
/// ```
///
/// # Errors
///
/// Fails with the line if it has no space or colon, its coarse label is not one of [`CLASSES`], or its fine
/// label or question is empty; fails with [`Reason::Empty`] if there are no rows.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<Question>, DataError> {
    let file = Location::file(file);
    let classes = classes();
    let questions: Result<Vec<Question>, DataError> =
        decode::lines(bytes, &file).map(|(place, line)| question(line, place, &classes)).collect();
    let questions = questions?;
    if questions.is_empty() { Err(file.error(Reason::Empty)) } else { Ok(questions) }
}

fn question(line: &[u8], source: Location, classes: &[String]) -> Result<Question, DataError> {
    let line = decode::latin1(line);
    let row = |what: String| source.error(Reason::Row { what, form: FORM });
    let (label, text) = line
        .split_once(' ')
        .ok_or_else(|| row(format!("there is no space in `{}`", shown(&line))))?;
    let (coarse, fine) = label
        .split_once(':')
        .ok_or_else(|| row(format!("there is no colon in the label `{}`", shown(label))))?;
    let coarse = class_of(coarse, classes, &source)?;
    if fine.is_empty() {
        return Err(row(format!("there is no fine label in `{}`", shown(label))));
    }
    if text.trim().is_empty() {
        return Err(source.error(Reason::NoText));
    }
    Ok(Question { text: text.to_owned(), coarse, fine: fine.to_owned(), source })
}

/// Returns questions as a data set of the six coarse classes.
///
/// # Errors
///
/// Fails with [`Reason::EmptyClass`] if one of the six classes has no question.
pub fn dataset(name: &str, questions: Vec<Question>) -> Result<TextDataset, DataError> {
    let example = |it: Question| TextExample { text: it.text, label: it.coarse, source: it.source };
    TextDataset::new(name, classes(), questions.into_iter().map(example).collect())
}

/// Reads the data set from a `.label` file.
///
/// # Errors
///
/// Returns the errors of [`files::bytes`], [`parse`] and [`dataset`].
pub fn read(path: &Path) -> Result<TextDataset, DataError> {
    let bytes = files::bytes(path, files::MAX_FILE_BYTES)?;
    let name = path.display().to_string();
    dataset(&name, parse(&name, &bytes)?)
}

fn classes() -> Vec<String> {
    CLASSES.map(str::to_owned).to_vec()
}
