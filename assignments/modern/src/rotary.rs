//! Task 3: rotary positions.
//!
//! The specification is the documentation of [`Rotary`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Rotates the pairs of channels `i` and `i + K/2`.
pub struct HalfSplit {
    // The fields that the encoding needs between `new` and `rotate`.
}

impl Rotary for HalfSplit {
    fn new(width: usize) -> Result<Self> {
        todo!("task 3: rotary positions, what can be computed beforehand")
    }

    fn rotate(&self, x: &Tensor) -> Result<Tensor> {
        todo!("task 3: rotary positions")
    }
}
