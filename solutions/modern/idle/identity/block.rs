//! Task 5.

use softmark_kit::prelude::*;

pub struct Block;

impl DecoderBlock for Block {
    fn new(_config: BlockConfig, below: &dyn BlockParts, vb: VarBuilder<'_>) -> Result<Self> {
        below.norm(vb.pp("norm1"))?;
        below.attention(vb.pp("self_attn"))?;
        below.norm(vb.pp("norm2"))?;
        below.feed_forward(vb.pp("feed_forward"))?;
        Ok(Self)
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }
}
