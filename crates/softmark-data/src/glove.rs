//! GloVe text vectors: a word and its numbers per line, separated by single spaces.
//!
//! Published files are UTF-8; copies from other sources may have another encoding, so callers must choose one.
//!
//! Pennington, Socher and Manning, "GloVe: Global Vectors for Word Representation", EMNLP 2014.

use std::collections::BTreeMap;
use std::path::Path;

use crate::decode::{self, Encoding};
use crate::fault::{DataError, Location, Reason, shown};
use crate::files;

const FORM: &str = "a word and its numbers, between single spaces";

/// Words and their vectors, all of one width.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    width: usize,
    words: Vec<String>,
    places: BTreeMap<String, usize>,
    numbers: Vec<f32>,
    duplicates: usize,
    cut: Option<Location>,
}

/// Parses the vectors in `bytes`, the content of a text file called `file`. The first line determines the
/// width of the vectors.
///
/// Repeated words are skipped and counted; the first vector is kept. A file may end without a line break. If
/// its last line has no line break and too few numbers, the line was cut off: it is skipped, and
/// [`Vectors::cut`] returns its place.
///
/// ```
/// use softmark_data::decode::Encoding;
/// use softmark_data::glove;
///
/// let bytes = b"the 0.5 -1\nof 2 3e-1\nthe 9 9\nan 7";
/// let vectors = glove::parse("f.txt", bytes, Encoding::Utf8)?;
/// assert_eq!(vectors.width(), 2);
/// assert_eq!(vectors.get("the"), Some([0.5, -1.0].as_slice()));
/// assert_eq!(vectors.get("an"), None);
/// assert_eq!(vectors.duplicates(), 1);
/// assert_eq!(vectors.cut().map(|place| place.to_string()), Some("f.txt:4".to_owned()));
/// # Ok::<(), softmark_data::DataError>(())
/// ```
///
/// # Errors
///
/// Fails with the line if its bytes are not in the encoding, it has no word or no numbers, a field is not a
/// finite `f32`, or its count of numbers differs from the first line's. Fails with [`Reason::Empty`] if there
/// are no lines.
pub fn parse(file: &str, bytes: &[u8], encoding: Encoding) -> Result<Vectors, DataError> {
    let file = Location::file(file);
    let mut vectors = Vectors {
        width: 0,
        words: Vec::new(),
        places: BTreeMap::new(),
        numbers: Vec::new(),
        duplicates: 0,
        cut: None,
    };
    let mut lines = decode::lines(bytes, &file).peekable();
    while let Some((place, line)) = lines.next() {
        let unfinished = lines.peek().is_none() && !bytes.ends_with(b"\n");
        let numbers = line.split(|byte| *byte == b' ').count() - 1;
        if unfinished && vectors.width > 0 && numbers < vectors.width {
            vectors.cut = Some(place);
            break;
        }
        vectors.add(&encoding.decode(line, &place)?, &place)?;
    }
    if vectors.words.is_empty() { Err(file.error(Reason::Empty)) } else { Ok(vectors) }
}

/// Reads vectors from a text file.
///
/// # Errors
///
/// Returns the errors of [`files::bytes`] and [`parse`].
pub fn read(path: &Path, encoding: Encoding) -> Result<Vectors, DataError> {
    parse(&path.display().to_string(), &files::bytes(path, files::MAX_FILE_BYTES)?, encoding)
}

impl Vectors {
    fn add(&mut self, line: &str, place: &Location) -> Result<(), DataError> {
        let row = |what: &str| place.error(Reason::Row { what: what.to_owned(), form: FORM });
        let mut fields = line.split(' ');
        let word =
            fields.next().filter(|it| !it.is_empty()).ok_or_else(|| row("there is no word"))?;
        let start = self.numbers.len();
        for (number, field) in (2..).zip(fields) {
            let value: Option<f32> = field.parse().ok().filter(|value: &f32| value.is_finite());
            let Some(value) = value else {
                self.numbers.truncate(start);
                return Err(place.error(Reason::Number { field: number, found: shown(field) }));
            };
            self.numbers.push(value);
        }
        let found = self.numbers.len() - start;
        if self.words.is_empty() {
            self.width = found;
        }
        if found == 0 {
            return Err(row("there are no numbers"));
        }
        if found != self.width {
            return Err(place.error(Reason::Ragged { found, wanted: self.width }));
        }
        if self.places.contains_key(word) {
            self.numbers.truncate(start);
            self.duplicates += 1;
        } else {
            self.places.insert(word.to_owned(), self.words.len());
            self.words.push(word.to_owned());
        }
        Ok(())
    }

    /// Returns the width of the vectors.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the words, in the order of the file.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the number of lines skipped because their word had occurred before.
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// Returns the place of the last line if it was cut off and skipped.
    pub fn cut(&self) -> Option<&Location> {
        self.cut.as_ref()
    }

    /// Returns the vector of a word.
    pub fn get(&self, word: &str) -> Option<&[f32]> {
        let start = self.places.get(word)? * self.width;
        self.numbers.get(start..start + self.width)
    }

    /// Returns an embedding table `[V, D]` in row-major order for the words of a vocabulary, in the order of
    /// their ids, and the number of words that have a vector. `fill` fills the rows of the other words, given
    /// their id: with zeros for padding, or with numbers of a seeded stream.
    ///
    /// ```
    /// use softmark_data::decode::Encoding;
    ///
    /// let vectors = softmark_data::glove::parse("f.txt", b"the 0.5 -1\n", Encoding::Utf8)?;
    /// let (table, known) = vectors.table(["[PAD]", "the"], |_, row| row.fill(0.0));
    /// assert_eq!((table.as_slice(), known), ([0.0, 0.0, 0.5, -1.0].as_slice(), 1));
    /// # Ok::<(), softmark_data::DataError>(())
    /// ```
    pub fn table(
        &self,
        words: impl IntoIterator<Item = impl AsRef<str>>,
        mut fill: impl FnMut(usize, &mut [f32]),
    ) -> (Vec<f32>, usize) {
        let mut table = Vec::new();
        let mut known = 0;
        for (id, word) in words.into_iter().enumerate() {
            if let Some(vector) = self.get(word.as_ref()) {
                table.extend_from_slice(vector);
                known += 1;
            } else {
                let mut row = vec![0.0; self.width];
                fill(id, &mut row);
                table.append(&mut row);
            }
        }
        (table, known)
    }
}
