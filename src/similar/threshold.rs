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
    /// The threshold that follows from measurements.
    pub const MEASURED: Self = Self { share: 0.35, tokens: 100, passage: 100 };

    /// True if a pair with these figures is reported.
    pub(super) fn is_reached(&self, share: f64, tokens: usize, longest: usize) -> bool {
        tokens >= self.tokens && (share >= self.share || longest >= self.passage)
    }
}
