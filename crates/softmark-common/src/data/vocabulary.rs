//! Vocabulary: words and their ids.

use std::collections::{BTreeMap, BTreeSet};

/// Id that pads a sequence to the length of its batch; no word has it.
pub const PADDING: u32 = 0;

/// Id of every word that is not in the vocabulary.
pub const UNKNOWN: u32 = 1;

/// A closed set of words, with ids from 2 in alphabetical order.
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
    /// Creates the vocabulary of these words; duplicates are ignored.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let words: BTreeSet<&'a str> = words.into_iter().collect();
        Self { ids: words.into_iter().map(str::to_owned).zip(UNKNOWN + 1..).collect() }
    }

    /// Returns the number of ids, including [`PADDING`] and [`UNKNOWN`].
    pub fn len(&self) -> usize {
        self.ids.len() + 2
    }

    /// Returns true if the vocabulary has no words.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the ids of the words of a text, which are separated by spaces.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let words = text.split(' ').filter(|word| !word.is_empty());
        words.map(|word| self.ids.get(word).copied().unwrap_or(UNKNOWN)).collect()
    }

    /// Returns the words in the order of their ids, starting at 2.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(String::as_str)
    }
}
