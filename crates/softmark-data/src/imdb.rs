//! IMDB, the Large Movie Review Dataset: `neg/` and `pos/` with one file `<id>_<stars>.txt` per review.
//!
//! Maas and others, "Learning Word Vectors for Sentiment Analysis", ACL 2011. A review of up to 4 stars is
//! negative, one of at least 7 stars positive; no review has 5 or 6 stars. The text is UTF-8, with line
//! breaks written as `<br />`.

use std::path::Path;

use crate::dataset::{TextDataset, TextExample};
use crate::decode::Encoding;
use crate::fault::{DataError, Location, Reason, shown};
use crate::files;

/// The classes, which are the names of the folders.
pub const CLASSES: [&str; 2] = ["neg", "pos"];

const FORM: &str = "`<id>_<stars>.txt` with 1 to 4 stars in `neg`, 7 to 10 in `pos`";

/// A review with its stars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The review.
    pub text: String,
    /// Index of the review's folder in [`CLASSES`].
    pub label: u32,
    /// Number of the review within the folder.
    pub id: u32,
    /// Rating by the writer, in stars of 10.
    pub stars: u8,
    /// The review's file.
    pub source: Location,
}

/// Returns id and stars of the file `name` in the folder of class `label`.
///
/// ```
/// use softmark_data::{Location, imdb};
///
/// let place = Location::file("pos/102_8.txt");
/// assert_eq!(imdb::name("102_8.txt", 1, &place)?, (102, 8));
/// assert!(imdb::name("102_8.txt", 0, &place).is_err(), "8 stars are not negative");
/// # Ok::<(), softmark_data::DataError>(())
/// ```
///
/// # Errors
///
/// Fails with [`Reason::Name`] at `place` if the name does not follow the format or the stars contradict the class.
pub fn name(name: &str, label: u32, place: &Location) -> Result<(u32, u8), DataError> {
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

/// Reads the reviews below `root`, such as `aclImdb/train`, sorted by class and then by id.
///
/// # Errors
///
/// Fails if a folder is missing, if the name of a file does not follow the format of [`name`] or an id occurs
/// twice, if a text is blank or not UTF-8, or if [`files::bytes`] fails.
pub fn reviews(root: &Path) -> Result<Vec<Review>, DataError> {
    let mut reviews = Vec::new();
    for (label, class) in (0..).zip(CLASSES) {
        let folder = root.join(class);
        let mut named = Vec::new();
        for file in files::names(&folder)? {
            let (id, stars) = name(&file, label, &files::location(&folder.join(&file)))?;
            named.push((id, stars, file));
        }
        named.sort_unstable();
        let mut last = None;
        for (id, stars, file) in named {
            let path = folder.join(file);
            let source = files::location(&path);
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

/// Reads the reviews below `root` as a data set.
///
/// # Errors
///
/// Returns the errors of [`reviews`]; fails if a folder has no reviews.
pub fn read(root: &Path) -> Result<TextDataset, DataError> {
    let example = |it: Review| TextExample { text: it.text, label: it.label, source: it.source };
    let examples = reviews(root)?.into_iter().map(example).collect();
    TextDataset::new(&root.display().to_string(), CLASSES.map(str::to_owned).to_vec(), examples)
}
