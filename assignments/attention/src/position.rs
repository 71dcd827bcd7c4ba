//! Tasks 3 and 4: sinusoidal and learned positional encoding.
//!
//! The specifications are the documentation of [`SinusoidalPosition`] and [`LearnedPosition`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Sines and cosines of falling frequency.
pub struct Sinusoidal {
    // What the encoding has to keep between `new` and `encode`.
}

impl SinusoidalPosition for Sinusoidal {
    fn new(config: PositionConfig) -> Result<Self> {
        todo!("task 3: sinusoidal positions, what can be computed beforehand")
    }

    fn encode(&self, x: &Tensor) -> Result<Tensor> {
        todo!("task 3: sinusoidal positions")
    }
}

/// A trainable row for each position.
pub struct Learned {
    // What the encoding has to keep between `new` and `encode`.
}

impl LearnedPosition for Learned {
    fn new(config: PositionConfig, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 4: learned positions, their parameters")
    }

    fn encode(&self, x: &Tensor) -> Result<Tensor> {
        todo!("task 4: learned positions")
    }
}
