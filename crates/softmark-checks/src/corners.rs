//! Questions in which every mistake shows that a size or a switch can hide.
//!
//! A single text, one head, as many tokens as texts: many a mistake hides where two sizes are the same, or
//! one of them is 1. Whether a few random cases get past all of that hangs on the seed; no mark may.

/// What a search asks last of all.
pub trait Corners: Sized {
    /// Questions like this one, with its random numbers, whose sizes are all larger than 1 and different
    /// from one another, with padding, and each switch both ways; none where there is nothing to choose.
    fn corners(&self) -> Vec<Self>;
}

impl<A: Corners, B: Clone> Corners for (A, B) {
    fn corners(&self) -> Vec<Self> {
        self.0.corners().into_iter().map(|corner| (corner, self.1.clone())).collect()
    }
}

/// A size that is all there is to a question.
impl Corners for usize {
    fn corners(&self) -> Vec<Self> {
        Vec::new()
    }
}
