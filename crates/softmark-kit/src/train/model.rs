//! The interface of trainable models.

use candle_core::{Result, Tensor};

/// A classifier of token sequences. Closures of the same signature implement it.
pub trait Model {
    /// Returns a logit for each class; the largest is the prediction.
    ///
    /// # Shapes
    ///
    /// - `ids`: `[B, T]`, `u32`, padded with 0
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - `train`: true if dropout is active
    /// - returns `[B, C]`, `f32`
    ///
    /// # Errors
    ///
    /// Returns the first error of the model's operations.
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;

    /// Called before each training step, numbered from 0. A model that draws random numbers of its own should
    /// derive them from `seed` and `step`, so that a resumed training draws the same numbers.
    fn begin_step(&self, seed: u64, step: u64) {
        let _ = (seed, step);
    }
}

impl<F: Fn(&Tensor, &Tensor, bool) -> Result<Tensor>> Model for F {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        self(ids, mask, train)
    }
}
