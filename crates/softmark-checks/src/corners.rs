//! Corner cases, which reveal the mistakes that particular sizes or switches can hide.
//!
//! Many mistakes are invisible if two sizes are equal or one of them is 1: a single text, one head, as many
//! tokens as texts. A few random cases may miss them on some seeds, and a mark must not depend on the seed.

/// Shapes from which a search derives the corner cases that it runs last.
pub trait Corners: Sized {
    /// Returns shapes with the same random stream whose sizes are all larger than 1 and distinct, with padding,
    /// and with each switch both on and off; empty if the shape has nothing to vary.
    fn corners(&self) -> Vec<Self>;
}

impl<A: Corners, B: Clone> Corners for (A, B) {
    fn corners(&self) -> Vec<Self> {
        self.0.corners().into_iter().map(|corner| (corner, self.1.clone())).collect()
    }
}

/// A shape that consists of one size has no corner cases.
impl Corners for usize {
    fn corners(&self) -> Vec<Self> {
        Vec::new()
    }
}
