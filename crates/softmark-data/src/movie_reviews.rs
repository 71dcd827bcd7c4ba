//! Movie reviews, polarity data set 2.0: `neg/` and `pos/` with one file per review.
//!
//! Pang and Lee, "A Sentimental Education", ACL 2004. The text is UTF-8 (all of it ASCII as published), in
//! lower case, with one sentence per line.

use std::path::Path;

use crate::dataset::{TextDataset, TextExample};
use crate::decode::Encoding;
use crate::fault::{DataError, Reason};
use crate::files;

/// The classes, which are the names of the folders.
pub const CLASSES: [&str; 2] = ["neg", "pos"];

/// Reads the reviews below `root`.
///
/// # Errors
///
/// Fails if a folder is missing or has no reviews, if the name of a file does not end in `.txt`, if a text is
/// blank or not UTF-8, or if [`files::bytes`] fails.
pub fn read(root: &Path) -> Result<TextDataset, DataError> {
    let mut examples = Vec::new();
    for (label, class) in (0..).zip(CLASSES) {
        let folder = root.join(class);
        for name in files::names(&folder)? {
            let path = folder.join(&name);
            let source = files::location(&path);
            if name.strip_suffix(".txt").is_none() {
                let what = "it is something else".to_owned();
                return Err(source.error(Reason::Name { what, form: "`….txt`" }));
            }
            let bytes = files::bytes(&path, files::MAX_DOCUMENT_BYTES)?;
            let text = Encoding::Utf8.decode(&bytes, &source)?;
            if text.trim().is_empty() {
                return Err(source.error(Reason::NoText));
            }
            examples.push(TextExample { text, label, source });
        }
    }
    let classes = CLASSES.map(str::to_owned).to_vec();
    TextDataset::new(&root.display().to_string(), classes, examples)
}
