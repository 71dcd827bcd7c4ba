//! Sentence polarity 1.0: `rt-polarity.neg` and `rt-polarity.pos` with one sentence per line.
//!
//! Pang and Lee, "Seeing stars", ACL 2005. The files were published as 8-bit text and repackaged as UTF-8;
//! callers must choose the encoding. The 8-bit files contain 0x85 inside sentences, so only 0x0A ends a line.

use std::path::Path;

use crate::dataset::{TextDataset, TextExample};
use crate::decode::{self, Encoding};
use crate::fault::{DataError, Location, Reason};
use crate::files;

/// The classes, which are the extensions of the files.
pub const CLASSES: [&str; 2] = ["neg", "pos"];

/// Parses the sentences in `bytes`, the content of a file called `file`, all of class `label`. Blanks at the
/// ends of a sentence are removed.
///
/// ```
/// use softmark_data::{decode::Encoding, polarity};
///
/// let sentences = polarity::parse("rt-polarity.pos", b"a fine caf\xe9 . \n", Encoding::Latin1, 1)?;
/// assert_eq!(sentences[0].text, "a fine café .");
/// assert!(polarity::parse("rt-polarity.pos", b"a fine caf\xe9 . \n", Encoding::Utf8, 1).is_err());
/// # Ok::<(), softmark_data::DataError>(())
/// ```
///
/// # Errors
///
/// Fails with the line if its bytes are not in the encoding or the line is blank; fails with
/// [`Reason::Empty`] if there are no lines.
pub fn parse(
    file: &str,
    bytes: &[u8],
    encoding: Encoding,
    label: u32,
) -> Result<Vec<TextExample>, DataError> {
    let file = Location::file(file);
    let mut examples = Vec::new();
    for (source, line) in decode::lines(bytes, &file) {
        let line = encoding.decode(line, &source)?;
        let text = line.trim();
        if text.is_empty() {
            return Err(source.error(Reason::NoText));
        }
        examples.push(TextExample { text: text.to_owned(), label, source });
    }
    if examples.is_empty() { Err(file.error(Reason::Empty)) } else { Ok(examples) }
}

/// Reads the pair of files in `folder`.
///
/// # Errors
///
/// Returns the errors of [`files::bytes`] and [`parse`].
pub fn read(folder: &Path, encoding: Encoding) -> Result<TextDataset, DataError> {
    let mut examples = Vec::new();
    for (label, class) in (0..).zip(CLASSES) {
        let path = folder.join(format!("rt-polarity.{class}"));
        let bytes = files::bytes(&path, files::MAX_FILE_BYTES)?;
        examples.extend(parse(&path.display().to_string(), &bytes, encoding, label)?);
    }
    TextDataset::new(&folder.display().to_string(), CLASSES.map(str::to_owned).to_vec(), examples)
}
