//! Training of byte-pair encoding: selects the pairs of tokens to merge, in order.
//!
//! Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units", ACL 2016.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Two adjacent tokens.
type Pair = (u32, u32);

/// A vocabulary and the merges that produce it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merges {
    /// The tokens in the order of their ids: special tokens, single characters, merged tokens.
    pub tokens: Vec<String>,
    /// The merged pairs, in the order in which they are applied to a text.
    pub pairs: Vec<(String, String)>,
}

/// Merges the most frequent pair of tokens until there are `size` tokens, or no pair is left.
///
/// `words` are words with their counts; pairs do not cross word boundaries. The first tokens are `special`
/// and, in their own order, the characters of the words. Among pairs with the same count, the one with the
/// smaller ids is merged. The result depends on the arguments alone.
///
/// ```
/// use std::collections::BTreeMap;
/// use softmark_data::tokenize::merges::train;
///
/// let words = BTreeMap::from([("hug".to_owned(), 10), ("pug".to_owned(), 5), ("hugs".to_owned(), 5)]);
/// let merges = train(&words, &["[PAD]"], 8);
/// assert_eq!(merges.tokens, ["[PAD]", "g", "h", "p", "s", "u", "ug", "hug"]);
/// assert_eq!(merges.pairs, [("u".into(), "g".into()), ("h".into(), "ug".into())]);
/// ```
pub fn train(words: &BTreeMap<String, u64>, special: &[&str], size: usize) -> Merges {
    let mut trainer = Trainer::new(words, special);
    while trainer.tokens.len() < size {
        let Some((_, Reverse(pair))) = trainer.queue.pop_last() else { break };
        trainer.merge(pair);
    }
    Merges { tokens: trainer.tokens, pairs: trainer.merged }
}

/// Returns the number of tokens before any merge.
pub(crate) fn least(words: &BTreeMap<String, u64>, special: &[&str]) -> usize {
    alphabet(words).len() + special.len()
}

fn alphabet(words: &BTreeMap<String, u64>) -> BTreeSet<char> {
    words.keys().flat_map(|word| word.chars()).collect()
}

struct Trainer {
    special: usize,
    tokens: Vec<String>,
    ids: BTreeMap<String, u32>,
    merged: Vec<(String, String)>,
    /// Tokens of each word after the merges so far, and the word's count.
    words: Vec<(Vec<u32>, u64)>,
    /// Count of each pair, and the indices of the words that contain it.
    pairs: BTreeMap<Pair, (u64, BTreeSet<usize>)>,
    /// Pairs sorted by count, smaller ids after larger ones; the last pair is merged next.
    queue: BTreeSet<(u64, Reverse<Pair>)>,
}

impl Trainer {
    fn new(words: &BTreeMap<String, u64>, special: &[&str]) -> Self {
        let mut trainer = Self {
            special: special.len(),
            tokens: Vec::new(),
            ids: BTreeMap::new(),
            merged: Vec::new(),
            words: Vec::new(),
            pairs: BTreeMap::new(),
            queue: BTreeSet::new(),
        };
        for token in special {
            trainer.add((*token).to_owned());
        }
        for character in alphabet(words) {
            trainer.add(character.to_string());
        }
        for (word, &count) in words {
            let ids = |c: char| trainer.ids.get(c.encode_utf8(&mut [0; 4]) as &str).copied();
            trainer.words.push((word.chars().filter_map(ids).collect(), count));
        }
        let all: Vec<usize> = (0..trainer.words.len()).collect();
        for word in all {
            for pair in trainer.pairs_of(word) {
                let (count, places) = trainer.pairs.entry(pair).or_default();
                *count += trainer.words.get(word).map_or(0, |(_, count)| *count);
                places.insert(word);
            }
        }
        trainer.queue =
            trainer.pairs.iter().map(|(pair, (count, _))| (*count, Reverse(*pair))).collect();
        trainer
    }

    /// Returns the id of a token; adds the token if it is new.
    fn add(&mut self, token: String) -> u32 {
        if let Some(&id) = self.ids.get(&token) {
            return id;
        }
        let id = u32::try_from(self.tokens.len()).unwrap_or(u32::MAX);
        self.tokens.push(token.clone());
        self.ids.insert(token, id);
        id
    }

    fn token(&self, id: u32) -> &str {
        self.tokens.get(id as usize).map_or("", String::as_str)
    }

    fn pairs_of(&self, word: usize) -> Vec<Pair> {
        let ids = self.words.get(word).map_or([].as_slice(), |(ids, _)| ids);
        ids.iter().copied().zip(ids.iter().skip(1).copied()).collect()
    }

    /// Replaces `pair` by one token wherever it occurs.
    fn merge(&mut self, pair: Pair) {
        let (left, right) = (self.token(pair.0).to_owned(), self.token(pair.1).to_owned());
        let whole = format!("{left}{right}");
        // A text must not be able to spell a special token.
        if self.ids.get(&whole).is_some_and(|id| (*id as usize) < self.special) {
            return;
        }
        let token = self.add(whole);
        self.merged.push((left, right));
        let Some((_, places)) = self.pairs.remove(&pair) else { return };
        for word in places {
            self.forget(word, pair);
            if let Some((ids, _)) = self.words.get_mut(word) {
                *ids = joined(ids, pair, token);
            }
            self.count(word);
        }
    }

    /// Removes a word's pairs from the counts, except for the pair that is already removed.
    fn forget(&mut self, word: usize, gone: Pair) {
        let times = self.words.get(word).map_or(0, |(_, count)| *count);
        for pair in self.pairs_of(word).into_iter().filter(|it| *it != gone) {
            let Some((count, places)) = self.pairs.get_mut(&pair) else { continue };
            self.queue.remove(&(*count, Reverse(pair)));
            *count -= times;
            places.remove(&word);
            if *count == 0 {
                self.pairs.remove(&pair);
            } else {
                self.queue.insert((*count, Reverse(pair)));
            }
        }
    }

    /// Adds a word's pairs to the counts.
    fn count(&mut self, word: usize) {
        let times = self.words.get(word).map_or(0, |(_, count)| *count);
        for pair in self.pairs_of(word) {
            let (count, places) = self.pairs.entry(pair).or_default();
            self.queue.remove(&(*count, Reverse(pair)));
            *count += times;
            places.insert(word);
            self.queue.insert((*count, Reverse(pair)));
        }
    }
}

/// Returns `ids` with each `pair` replaced by `token`, from the left.
fn joined(ids: &[u32], pair: Pair, token: u32) -> Vec<u32> {
    let mut joined = Vec::with_capacity(ids.len());
    let mut rest = ids;
    while let Some((&first, behind)) = rest.split_first() {
        match behind.split_first() {
            Some((&second, after)) if (first, second) == pair => {
                joined.push(token);
                rest = after;
            }
            Some(_) | None => {
                joined.push(first);
                rest = behind;
            }
        }
    }
    joined
}
