//! What can be trained.

use candle_core::{Result, Tensor};

/// A classifier of token sequences. A closure of the same signature is one too.
pub trait Model {
    /// A score for each class; the largest is the prediction.
    ///
    /// # Shapes
    ///
    /// - `ids`: `[B, T]`, `u32`, padded with 0
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - `train`: whether dropout drops
    /// - returns `[B, C]`, `f32`
    ///
    /// # Errors
    ///
    /// Those of the model's own operations.
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;

    /// Called before each training step, numbered from 0: where a model that draws random numbers
    /// of its own derives them from, so that a training that is resumed draws the same ones.
    fn begin_step(&self, seed: u64, step: u64) {
        let _ = (seed, step);
    }
}

impl<F: Fn(&Tensor, &Tensor, bool) -> Result<Tensor>> Model for F {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        self(ids, mask, train)
    }
}
