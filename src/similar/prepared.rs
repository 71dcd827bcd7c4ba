//! Submissions, prepared for comparison.

use std::collections::BTreeMap;

use crate::similar::fingerprints::{self, Fingerprint, GRAM, is_in};
use crate::similar::tokens::{Token, tokens};

/// Source file, prepared for comparison.
#[derive(Debug, Clone)]
pub(super) struct PreparedFile {
    pub(super) tokens: Vec<Token>,
    /// Fingerprints in the order of the file.
    pub(super) fingerprints: Vec<Fingerprint>,
    /// True for tokens that the skeleton gives or the class shares, by index.
    pub(super) shared: Vec<bool>,
}

impl PreparedFile {
    /// Prepares the text of a file, of which the k-grams `given`, which are sorted, are the skeleton's.
    fn new(text: &str, given: &[u64]) -> Self {
        let tokens = tokens(text);
        let grams = fingerprints::grams(&tokens);
        let fingerprints = fingerprints::fingerprints(&grams);
        let mut file = Self { shared: vec![false; tokens.len()], tokens, fingerprints };
        for (start, hash) in grams.iter().enumerate() {
            if is_in(given, *hash) {
                file.share(start);
            }
        }
        file
    }

    /// Marks the tokens of the k-gram at `start` as shared.
    pub(super) fn share(&mut self, start: usize) {
        if let Some(tokens) = self.shared.get_mut(start..start + GRAM) {
            tokens.fill(true);
        }
    }

    /// True if the k-gram at `start` is the author's own: at most half of its tokens are shared. One that reaches from
    /// shared code into other code by a few tokens agrees by chance.
    fn is_own(&self, start: usize) -> bool {
        let tokens = self.shared.get(start..start + GRAM).unwrap_or_default();
        2 * tokens.iter().filter(|is_shared| **is_shared).count() <= GRAM
    }
}

/// Fingerprint of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Located {
    pub(super) hash: u64,
    /// Index of the file.
    pub(super) file: usize,
    /// Index of its first token.
    pub(super) start: usize,
}

/// Submission, prepared for comparison.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    /// Files in the order of their paths.
    pub(super) files: Vec<PreparedFile>,
    /// Fingerprints that are the author's own, sorted by hash.
    pub(super) own: Vec<Located>,
}

impl Prepared {
    /// Prepares the files of a submission, without its own fingerprints: which they are depends on the class.
    pub(super) fn new(files: &BTreeMap<String, String>, given: &[u64]) -> Self {
        let files = files.values().map(|text| PreparedFile::new(text, given)).collect();
        Self { files, own: Vec::new() }
    }

    /// Returns all fingerprints.
    pub(super) fn fingerprints(&self) -> impl Iterator<Item = Located> {
        let of_file = |(file, prepared): (usize, &PreparedFile)| {
            let located = move |it: &Fingerprint| Located { hash: it.hash, file, start: it.start };
            prepared.fingerprints.iter().map(located).collect::<Vec<_>>()
        };
        self.files.iter().enumerate().flat_map(of_file)
    }

    /// Marks the tokens of the fingerprints in `common`, which is sorted, as shared, and selects the author's own.
    pub(super) fn select_own(&mut self, common: &[u64]) {
        let (shared, mut own): (Vec<Located>, Vec<Located>) =
            self.fingerprints().partition(|it| is_in(common, it.hash));
        for it in shared {
            if let Some(file) = self.files.get_mut(it.file) {
                file.share(it.start);
            }
        }
        own.retain(|it| self.files.get(it.file).is_some_and(|file| file.is_own(it.start)));
        own.sort_unstable();
        self.own = own;
    }

    /// Returns the hashes of the own fingerprints, each once, in ascending order.
    pub(super) fn own_hashes(&self) -> Vec<u64> {
        let mut hashes: Vec<u64> = self.own.iter().map(|it| it.hash).collect();
        hashes.dedup();
        hashes
    }

    /// Returns the own fingerprints with this hash.
    pub(super) fn own_with(&self, hash: u64) -> &[Located] {
        let from = self.own.partition_point(|it| it.hash < hash);
        let to = self.own.partition_point(|it| it.hash <= hash);
        self.own.get(from..to).unwrap_or_default()
    }
}
