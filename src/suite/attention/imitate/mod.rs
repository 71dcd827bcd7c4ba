//! Parts that make mistakes on purpose, in `f64`: each is the right formula with one rule changed.
//!
//! With no rule changed they give what the oracle gives; a test holds the two against each other.

pub(super) mod attention;
pub(super) mod multi_head;
pub(super) mod pooling;
pub(super) mod position;
