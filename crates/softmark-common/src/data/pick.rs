//! Random choice of words, and generation of distinct texts.

use std::collections::BTreeSet;

use crate::data::Labelled;
use crate::rng::Stream;

/// Source of random choices, with its own named stream.
#[derive(Debug)]
pub(crate) struct Pick {
    stream: Stream,
}

impl Pick {
    /// Creates a source that draws from the stream of this seed and name.
    pub(crate) fn new(seed: u64, name: &str) -> Self {
        Self { stream: Stream::derive(seed, name, 0) }
    }

    /// Draws a number from `0 .. n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.stream.below(n as u64)).unwrap_or(0)
    }

    /// Draws one of `items`, which must not be empty.
    pub(crate) fn one<T: Copy + Default>(&mut self, items: &[T]) -> T {
        let at = self.below(items.len());
        items.get(at).copied().unwrap_or_default()
    }

    /// Returns `0 .. n` in a random order (Fisher and Yates).
    pub(crate) fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            let at = self.below(last + 1);
            order.swap(last, at);
        }
        order
    }

    /// Draws a noun phrase: a determiner, up to two adjectives, and `noun`.
    pub(crate) fn phrase(
        &mut self,
        determiners: &[&'static str],
        adjectives: &[&'static str],
        noun: &'static str,
    ) -> Vec<&'static str> {
        let mut words = vec![self.one(determiners)];
        for _ in 0..self.below(3) {
            words.push(self.one(adjectives));
        }
        words.push(noun);
        words
    }
}

/// Returns the first `n` distinct texts that `make` returns.
pub(crate) fn different(n: usize, mut make: impl FnMut() -> Labelled) -> Vec<Labelled> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::with_capacity(n);
    while all.len() < n {
        let labelled = make();
        if seen.insert(labelled.text.clone()) {
            all.push(labelled);
        }
    }
    all
}
