//! Drawing of words, for the patients that make their own texts.

use softmark_kit::rng::Stream;

/// Draws that hang on a seed and a name alone.
#[derive(Debug)]
pub(crate) struct Draw(Stream);

impl Draw {
    pub(crate) fn new(seed: u64, name: &str) -> Self {
        Self(Stream::derive(seed, name, 0))
    }

    /// A number from `0 .. n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.0.below(n as u64)).unwrap_or_default()
    }

    /// One of the words.
    pub(crate) fn one<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let at = self.below(words.len());
        words.get(at).copied().unwrap_or_default()
    }

    /// Puts things in a random order.
    pub(crate) fn mix<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
