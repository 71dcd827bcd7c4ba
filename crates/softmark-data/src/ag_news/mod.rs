//! AG News: one `"class","title","description"` per line; classes are numbers from 1.
//!
//! Zhang, Zhao and Le Cun, "Character-level Convolutional Networks for Text Classification", NIPS 2015.
//! The text of an example is the title, a space and the description.
//!
//! Earlier processing has left marks in the texts: a backslash where a line ended, and entities whose `&`
//! became a space (` #39;` for `'`, ` quot;` for `"`). They are kept, as in the published results on this
//! data, unless [`Marks::Mended`] asks for their removal.

mod mend;
mod row;

use std::path::Path;

use crate::dataset::{TextDataset, TextExample};
use crate::decode::{self, Encoding};
use crate::fault::{DataError, Location, Reason, shown};
use crate::files;

pub use mend::mend;

/// The classes in the order of `classes.txt`; the number in the file is the index here plus one.
pub const CLASSES: [&str; 4] = ["World", "Sports", "Business", "Sci/Tech"];

const FORM: &str =
    "`\"class\",\"title\",\"description\"`, where `\"\"` stands for a quotation mark";

/// Treatment of the marks that earlier processing left in the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marks {
    /// The marks are kept.
    #[default]
    Kept,
    /// The marks are removed by [`mend`].
    Mended,
}

/// A row of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// Index of the class in [`CLASSES`]: the number in the file minus one.
    pub class: u32,
    /// The title.
    pub title: String,
    /// The description.
    pub description: String,
    /// Location of the row.
    pub source: Location,
}

/// Parses the rows of `bytes`, the content of a CSV file called `file`. The file has no header, and rows
/// contain no line breaks.
///
/// ```
/// use softmark_data::ag_news::{Marks, parse};
///
/// let rows = parse("test.csv", br#""3","A ""T N"" title","It is Turner #39;s"
/// "#, Marks::Mended)?;
/// assert_eq!(rows[0].class, 2);
/// assert_eq!(rows[0].title, "A \"T N\" title");
/// assert_eq!(rows[0].description, "It is Turner's");
/// # Ok::<(), softmark_data::DataError>(())
/// ```
///
/// # Errors
///
/// Fails with the line if its bytes are not UTF-8, the row does not have three fields or its quotation marks
/// do not match, the class is not a number from 1 to 4, or the row has no text.
pub fn parse(file: &str, bytes: &[u8], marks: Marks) -> Result<Vec<Article>, DataError> {
    let file = Location::file(file);
    let articles: Result<Vec<Article>, DataError> =
        decode::lines(bytes, &file).map(|(place, line)| article(line, place, marks)).collect();
    let articles = articles?;
    if articles.is_empty() { Err(file.error(Reason::Empty)) } else { Ok(articles) }
}

fn article(line: &[u8], source: Location, marks: Marks) -> Result<Article, DataError> {
    let line = Encoding::Utf8.decode(line, &source)?;
    let row = |what: String| source.error(Reason::Row { what, form: FORM });
    let fields = row::fields(&line).map_err(|what| row(what.to_owned()))?;
    let [class, title, description]: [String; 3] = fields
        .try_into()
        .map_err(|it: Vec<String>| row(format!("there are {} fields", it.len())))?;
    let labels = || (1..=CLASSES.len()).map(|number| number.to_string());
    let Some(class) = (0..).zip(labels()).find_map(|(at, label)| (label == class).then_some(at))
    else {
        let reason = Reason::UnknownLabel { found: shown(&class), known: labels().collect() };
        return Err(source.error(reason));
    };
    if title.trim().is_empty() && description.trim().is_empty() {
        return Err(source.error(Reason::NoText));
    }
    let text = |raw: String| if marks == Marks::Mended { mend(&raw) } else { raw };
    Ok(Article { class, title: text(title), description: text(description), source })
}

/// Returns articles as a data set; a text is the title, a space and the description.
///
/// # Errors
///
/// Fails with [`Reason::EmptyClass`] if one of the four classes has no article.
pub fn dataset(name: &str, articles: Vec<Article>) -> Result<TextDataset, DataError> {
    let example = |it: Article| TextExample {
        text: format!("{} {}", it.title, it.description),
        label: it.class,
        source: it.source,
    };
    let classes = CLASSES.map(str::to_owned).to_vec();
    TextDataset::new(name, classes, articles.into_iter().map(example).collect())
}

/// Reads the data set from a CSV file.
///
/// # Errors
///
/// Returns the errors of [`files::bytes`], [`parse`] and [`dataset`].
pub fn read(path: &Path, marks: Marks) -> Result<TextDataset, DataError> {
    let bytes = files::bytes(path, files::MAX_FILE_BYTES)?;
    let name = path.display().to_string();
    dataset(&name, parse(&name, &bytes, marks)?)
}
