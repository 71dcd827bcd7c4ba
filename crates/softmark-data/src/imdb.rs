//! IMDB, the Large Movie Review Dataset: `neg/` and `pos/`, a file `<id>_<stars>.txt` a review.
//!
//! Maas and others, "Learning Word Vectors for Sentiment Analysis", ACL 2011. A review of up to 4 stars
//! is negative, one of 7 and more positive; there are none between. The text is UTF-8, and line breaks
//! in it are written `<br />`.

use std::path::Path;

use crate::dataset::{TextDataset, TextExample};
use crate::decode::Encoding;
use crate::fault::{DataError, Place, Reason, shown};
use crate::files;

/// The classes, which are the names of the folders.
pub const CLASSES: [&str; 2] = ["neg", "pos"];

const FORM: &str = "`<id>_<stars>.txt` with 1 to 4 stars in `neg`, 7 to 10 in `pos`";

/// A review with its stars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The review.
    pub text: String,
    /// The number of its folder in [`CLASSES`].
    pub label: u32,
    /// Its number within the folder.
    pub id: u32,
    /// How many stars of 10 the writer gave.
    pub stars: u8,
    /// The file.
    pub source: Place,
}

/// Id and stars of the file `name` in the folder of class `label`.
///
/// ```
/// use softmark_data::{Place, imdb};
///
/// let place = Place::file("pos/102_8.txt");
/// assert_eq!(imdb::name("102_8.txt", 1, &place)?, (102, 8));
/// assert!(imdb::name("102_8.txt", 0, &place).is_err(), "8 stars are not negative");
/// # Ok::<(), softmark_data::DataError>(())
/// ```
///
/// # Errors
///
/// [`Reason::Name`] at `place` when the name is made in another way or the stars are not the class's.
pub fn name(name: &str, label: u32, place: &Place) -> Result<(u32, u8), DataError> {
    let wrong =
        || place.error(Reason::Name { what: format!("it is `{}`", shown(name)), form: FORM });
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (id, stars) =
        name.strip_suffix(".txt").and_then(|stem| stem.split_once('_')).ok_or_else(wrong)?;
    if !digits(id) || !digits(stars) {
        return Err(wrong());
    }
    let id = id.parse().map_err(|_| wrong())?;
    let stars = stars.parse().map_err(|_| wrong())?;
    let fits = if label == 0 { (1..=4).contains(&stars) } else { (7..=10).contains(&stars) };
    if fits { Ok((id, stars)) } else { Err(wrong()) }
}

/// The reviews below `root`, such as `aclImdb/train`, by class and then by id.
///
/// # Errors
///
/// When a folder is missing, when a file's name is not made as [`name`] wants it or an id occurs
/// twice, when a text is blank or not UTF-8, or as [`files::bytes`].
pub fn reviews(root: &Path) -> Result<Vec<Review>, DataError> {
    let mut reviews = Vec::new();
    for (label, class) in (0..).zip(CLASSES) {
        let folder = root.join(class);
        let mut named = Vec::new();
        for file in files::names(&folder)? {
            let (id, stars) = name(&file, label, &files::place(&folder.join(&file)))?;
            named.push((id, stars, file));
        }
        named.sort_unstable();
        let mut last = None;
        for (id, stars, file) in named {
            let path = folder.join(file);
            let source = files::place(&path);
            if last.replace(id) == Some(id) {
                let what = format!("{id} is the id of another file too");
                return Err(source.error(Reason::Name { what, form: FORM }));
            }
            let bytes = files::bytes(&path, files::MAX_DOCUMENT_BYTES)?;
            let text = Encoding::Utf8.decode(&bytes, &source)?;
            if text.trim().is_empty() {
                return Err(source.error(Reason::NoText));
            }
            reviews.push(Review { text, label, id, stars, source });
        }
    }
    Ok(reviews)
}

/// The reviews below `root` as a data set.
///
/// # Errors
///
/// As [`reviews`], and when a folder has none.
pub fn read(root: &Path) -> Result<TextDataset, DataError> {
    let example = |it: Review| TextExample { text: it.text, label: it.label, source: it.source };
    let examples = reviews(root)?.into_iter().map(example).collect();
    TextDataset::new(&root.display().to_string(), CLASSES.map(str::to_owned).to_vec(), examples)
}
