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
/// `OnePosition` is correct only for sequences of length 1 and `G = H`.
///
/// ```
/// use modern_spec::prelude::*;
/// use softmark_kit::nn::{Linear, linear_no_bias};
///
/// struct OnePosition {
///     v_proj: Linear,
///     out_proj: Linear,
/// }
///
/// impl GroupedQueryAttention for OnePosition {
///     fn new(
///         config: GroupedQueryConfig,
///         _rotary: Arc<dyn Rotary>,
///         vb: VarBuilder<'_>,
///     ) -> Result<Self> {
///         let d = config.d_model;
///         Ok(Self {
///             v_proj: linear_no_bias(d, d, vb.pp("v_proj"))?,
///             out_proj: linear_no_bias(d, d, vb.pp("out_proj"))?,
///         })
///     }
///     fn attend(&self, x: &Tensor) -> Result<Tensor> {
///         self.out_proj.forward(&self.v_proj.forward(x)?)
///     }
/// }
///
/// # struct Unused;
/// # impl Rotary for Unused {
/// #     fn new(_: usize) -> Result<Self> { Ok(Self) }
/// #     fn rotate(&self, x: &Tensor) -> Result<Tensor> { Ok(x.clone()) }
/// # }
/// let config = GroupedQueryConfig { d_model: 4, heads: 2, kv_heads: 2 };
/// let vb = VarBuilder::zeros(DType::F32, &Device::Cpu);
/// let layer = OnePosition::new(config, Arc::new(Unused), vb)?;
/// let x = Tensor::ones((3, 1, 4), DType::F32, &Device::Cpu)?; // [B, T, D]
/// assert_eq!(layer.attend(&x)?.dims3()?, (3, 1, 4));
/// # Ok::<(), candle_core::Error>(())
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
