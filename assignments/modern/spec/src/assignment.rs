//! Interface of the `modern` assignment's crate, and the construction of its components.

use std::marker::PhantomData;
use std::sync::Arc;

use candle_core::Result;
use candle_nn::VarBuilder;

use crate::{
    BlockConfig, BlockParts, DecoderBlock, GroupedQueryAttention, GroupedQueryConfig, RmsNorm,
    Rotary, SwiGlu,
};

/// The components of the `modern` assignment.
///
/// The provided `src/lib.rs` of the assignment implements this trait for a type called `Submission`, through
/// which the checks find a student's types.
pub trait ModernAssignment: 'static {
    /// Component of task 1.
    type Norm: RmsNorm + 'static;
    /// Component of task 2.
    type FeedForward: SwiGlu + 'static;
    /// Component of task 3.
    type Rotary: Rotary + 'static;
    /// Component of task 4.
    type Attention: GroupedQueryAttention + 'static;
    /// Component of task 5.
    type Block: DecoderBlock + 'static;
}

/// Constructs the components of `A` for the block that uses them.
///
/// ```text
/// let below = PartsOf::<Submission>::new(config);
/// let block = Block::new(config, &below, vb)?;
/// ```
#[derive(Debug)]
pub struct PartsOf<A> {
    config: BlockConfig,
    of: PhantomData<fn() -> A>,
}

impl<A> PartsOf<A> {
    /// Returns constructors of components with `config`.
    pub fn new(config: BlockConfig) -> Self {
        Self { config, of: PhantomData }
    }
}

/// Returns rotary positions of `R` for the heads of an attention. If the heads do not divide the model, the width
/// is 2, so that the error is left to the attention.
pub(crate) fn rotary_of<R: Rotary + 'static>(
    config: GroupedQueryConfig,
) -> Result<Arc<dyn Rotary>> {
    let GroupedQueryConfig { d_model, heads, .. } = config;
    let width = if d_model.checked_rem(heads) == Some(0) { d_model / heads } else { 2 };
    Ok(Arc::new(R::new(width)?))
}

impl<A: ModernAssignment> BlockParts for PartsOf<A> {
    fn norm(&self, vb: VarBuilder<'_>) -> Result<Box<dyn RmsNorm>> {
        Ok(Box::new(A::Norm::new(self.config.d_model, vb)?))
    }

    fn attention(&self, vb: VarBuilder<'_>) -> Result<Box<dyn GroupedQueryAttention>> {
        let BlockConfig { d_model, heads, kv_heads, .. } = self.config;
        let config = GroupedQueryConfig { d_model, heads, kv_heads };
        Ok(Box::new(A::Attention::new(config, rotary_of::<A::Rotary>(config)?, vb)?))
    }

    fn feed_forward(&self, vb: VarBuilder<'_>) -> Result<Box<dyn SwiGlu>> {
        Ok(Box::new(A::FeedForward::new(self.config.d_model, self.config.d_ff, vb)?))
    }
}
