//! The threshold from which on a pair is reported.

/// Least figures of a pair that is reported: its passages have [`tokens`](Self::tokens), and it has the share or the long
/// passage.
///
/// A copy of a whole submission is found by its share, whatever else was done to it; a copy of one function, in the
/// solution of a larger assignment, by its longest passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Share of the smaller submission's own fingerprints that the other one has.
    pub share: f64,
    /// Tokens in all passages.
    pub tokens: usize,
    /// Tokens of the longest passage.
    pub passage: usize,
}

impl Threshold {
    /// The threshold that follows from measurements of this project's fixtures, which `similar/tests` repeats.
    ///
    /// | pairs | share | longest passage |
    /// |---|---|---|
    /// | 51 pairs of files that were written apart: the ways of writing a file among the solutions and accepted variants, in classes of two, where nothing but the skeleton is left out | at most 25 % | at most 66 tokens |
    /// | the sample class, apart from the pair that has a file in common | at most 13 %, or 24 tokens in all | at most 30 tokens |
    /// | copies of whole submissions, with other names, literals, comments, layout, and with all methods in the opposite order | at least 91 % | |
    ///
    /// So a share of 40 % and a passage of 100 tokens, about ten lines, are half as large again as the largest of work that
    /// was written apart, and leave room for a copy of which more than a half was written anew.
    /// Fewer than 100 tokens in all are the code of one small function, which is alike by chance.
    pub const MEASURED: Self = Self { share: 0.4, tokens: 100, passage: 100 };

    /// True if a pair with these figures is reported.
    pub(super) fn is_reached(&self, share: f64, tokens: usize, longest: usize) -> bool {
        tokens >= self.tokens && (share >= self.share || longest >= self.passage)
    }
}
