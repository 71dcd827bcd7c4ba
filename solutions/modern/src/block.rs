//! Task 5: the decoder block.

use softmark_kit::prelude::*;

/// Attention and a feed-forward network, each with a norm before it and a residual connection around both.
#[expect(missing_debug_implementations, reason = "the components inside have none")]
pub struct Block {
    norm1: Box<dyn RmsNorm>,
    attention: Box<dyn GroupedQueryAttention>,
    norm2: Box<dyn RmsNorm>,
    feed_forward: Box<dyn SwiGlu>,
}

impl DecoderBlock for Block {
    fn new(_config: BlockConfig, below: &dyn BlockParts, vb: VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            norm1: below.norm(vb.pp("norm1"))?,
            attention: below.attention(vb.pp("self_attn"))?,
            norm2: below.norm(vb.pp("norm2"))?,
            feed_forward: below.feed_forward(vb.pp("feed_forward"))?,
        })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let h = (x + self.attention.attend(&self.norm1.forward(x)?)?)?; // [B, T, D]
        &h + self.feed_forward.forward(&self.norm2.forward(&h)?)?
    }
}
