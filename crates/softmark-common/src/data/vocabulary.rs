//! Words and their numbers.

use std::collections::{BTreeMap, BTreeSet};

/// Pads a sequence to a batch's length; never a word.
pub const PADDING: u32 = 0;

/// Stands for every word that is not in the vocabulary.
pub const UNKNOWN: u32 = 1;

/// The words of a closed set, numbered from 2 in alphabetical order.
///
/// ```
/// use softmark_kit::data::Vocabulary;
///
/// let vocabulary = Vocabulary::new(["which", "city", "?"]);
/// assert_eq!(vocabulary.encode("which river ?"), [4, 1, 2]);
/// assert_eq!(vocabulary.len(), 5);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    ids: BTreeMap<String, u32>,
}

impl Vocabulary {
    /// The vocabulary of these words; one that comes twice counts once.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let words: BTreeSet<&'a str> = words.into_iter().collect();
        Self { ids: words.into_iter().map(str::to_owned).zip(UNKNOWN + 1..).collect() }
    }

    /// How many numbers there are, [`PADDING`] and [`UNKNOWN`] included.
    pub fn len(&self) -> usize {
        self.ids.len() + 2
    }

    /// Whether it has no word.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The numbers of the words of a text, which stand apart by spaces.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let words = text.split(' ').filter(|word| !word.is_empty());
        words.map(|word| self.ids.get(word).copied().unwrap_or(UNKNOWN)).collect()
    }

    /// The words, in the order of their numbers, from 2 on.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(String::as_str)
    }
}
