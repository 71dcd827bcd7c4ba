//! The decoder block and its components.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::attention::GroupedQueryAttention;
use crate::feed_forward::SwiGlu;
use crate::norm::RmsNorm;

/// The sizes of a [`DecoderBlock`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockConfig {
    /// `D`, the width of the model.
    pub d_model: usize,
    /// `H`, the number of query heads.
    pub heads: usize,
    /// `G`, the number of key and value heads.
    pub kv_heads: usize,
    /// `F`, the inner width of the feed-forward network.
    pub d_ff: usize,
}

/// Constructor of the components inside a [`DecoderBlock`].
///
/// The constructor has the sizes; the block chooses the names of the components' parameters.
pub trait BlockParts {
    /// Constructs a norm with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// Returns the error of the norm's `new`.
    fn norm(&self, vb: VarBuilder<'_>) -> Result<Box<dyn RmsNorm>>;

    /// Constructs an attention with the parameters below `vb` and rotary positions inside.
    ///
    /// # Errors
    ///
    /// Returns the error of the attention's or the rotary positions' `new`.
    fn attention(&self, vb: VarBuilder<'_>) -> Result<Box<dyn GroupedQueryAttention>>;

    /// Constructs a feed-forward network with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// Returns the error of the network's `new`.
    fn feed_forward(&self, vb: VarBuilder<'_>) -> Result<Box<dyn SwiGlu>>;
}

/// One block of a decoder: attention and a feed-forward network, each with a norm before it and a residual
/// connection around both.
///
/// ```text
/// h      = x + attention(norm1(x))            [B, T, D]
/// output = h + feed_forward(norm2(h))         [B, T, D]
/// ```
///
/// The order is that of Xiong et al., *On Layer Normalization in the Transformer Architecture* (2020), figure 1; the
/// components are those of Touvron et al., *`LLaMA`: Open and Efficient Foundation Language Models* (2023), section
/// 2.2.
///
/// # Parameters
///
/// [`new`](Self::new) has the components constructed below these names.
///
/// | name | parameters of |
/// |---|---|
/// | `norm1.` …, `norm2.` … | [`RmsNorm`] |
/// | `self_attn.` … | [`GroupedQueryAttention`] |
/// | `feed_forward.` … | [`SwiGlu`] |
///
/// # Edge cases
///
/// - If attention and network return zeros, the block returns its input.
/// - The output at a position does not change by a single bit if later positions change to other finite numbers.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input and all parameters.
///
/// # Examples
///
/// ```
/// use modern_spec::prelude::*;
///
/// fn stacked<A: ModernAssignment>(x: &Tensor, vb: VarBuilder<'_>) -> Result<Tensor> {
///     let config = BlockConfig { d_model: 8, heads: 4, kv_heads: 2, d_ff: 16 };
///     let below = PartsOf::<A>::new(config);
///     let block = |i: usize| A::Block::new(config, &below, vb.pp(format!("layers.{i}")));
///     block(1)?.forward(&block(0)?.forward(x)?)
/// }
/// ```
pub trait DecoderBlock {
    /// Constructs the block: all its components through `below`.
    ///
    /// Use the components of `below` unchanged: the block is graded on its own merits, independently of your other
    /// components.
    ///
    /// # Errors
    ///
    /// Returns the error of `below`.
    fn new(config: BlockConfig, below: &dyn BlockParts, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Applies the block to a batch of sequences.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Returns the error of a component, for instance if the last axis of `x` is not `D`.
    fn forward(&self, x: &Tensor) -> Result<Tensor>;
}
