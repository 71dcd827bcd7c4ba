//! Grouped-query attention.

use std::sync::Arc;

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::rotary::Rotary;

/// The sizes of a [`GroupedQueryAttention`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupedQueryConfig {
    /// `D`, the width of the model.
    pub d_model: usize,
    /// `H`, the number of query heads; each is `K = D / H` wide.
    pub heads: usize,
    /// `G`, the number of key and value heads.
    pub kv_heads: usize,
}

/// Causal self-attention in which groups of `H / G` query heads share one key head and one value head.
///
/// ```text
/// q = rotate(heads of x · W_qᵀ)                           [B, H, T, K]
/// k = rotate(heads of x · W_kᵀ)                           [B, G, T, K]
/// v =        heads of x · W_vᵀ                            [B, G, T, K]
/// scores[h]  = q[h] · k[g]ᵀ / √K      g = h / (H / G), rounded down    [B, H, T, T]
/// weights[h] = softmax of scores[h] over the keys up to the query's own position
/// output     = concat(weights[h] · v[g]) · W_oᵀ           [B, T, D]
/// ```
///
/// From Ainslie et al., *GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints*
/// (2023), section 2.2. Channels `h·K .. (h+1)·K` of a projection are its head `h`. Queries and keys are rotated,
/// values are not. There are no biases.
///
/// # Parameters
///
/// | name | shape |
/// |---|---|
/// | `q_proj.weight`, `out_proj.weight` | `[D, D]` |
/// | `k_proj.weight`, `v_proj.weight` | `[G·K, D]` |
///
/// # Edge cases
///
/// - `G = H` is multi-head attention, and `G = 1` multi-query attention.
/// - The output at a position does not change by a single bit if later positions change to other finite numbers.
/// - Large scores (such as ±10⁴) neither overflow nor give `NaN`.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input and all four parameters.
///
/// # Examples
///
/// A query at the only position sees its own value alone.
///
/// ```
/// use modern_spec::prelude::*;
///
/// fn first_position<A: GroupedQueryAttention, R: Rotary + 'static>(
///     vb: VarBuilder<'_>,
/// ) -> Result<Tensor> {
///     let config = GroupedQueryConfig { d_model: 8, heads: 4, kv_heads: 2 };
///     let x = Tensor::ones((3, 1, 8), DType::F32, &Device::Cpu)?; // [B, T, D]
///     A::new(config, Arc::new(R::new(2)?), vb)?.attend(&x) // x · W_vᵀ, each head twice, · W_oᵀ
/// }
/// ```
pub trait GroupedQueryAttention {
    /// Constructs the attention, with its parameters from `vb`.
    ///
    /// `rotary` rotates heads of width `K`. Use it unchanged: the attention is graded on its own merits,
    /// independently of your rotary positions.
    ///
    /// # Errors
    ///
    /// Fails if `heads` does not divide `d_model`, if `kv_heads` does not divide `heads`, if either is 0, or if a
    /// parameter is missing from `vb` or has another shape.
    fn new(config: GroupedQueryConfig, rotary: Arc<dyn Rotary>, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Computes attention from every position to itself and the positions before it.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the last axis of `x` is not `D`.
    fn attend(&self, x: &Tensor) -> Result<Tensor>;
}
