//! Task 4: the repaired encoder layer.

use softmark_kit::nn::{Dropout, LayerNorm, layer_norm};
use softmark_kit::prelude::*;

const EPSILON: f64 = 1e-5;

/// Attention and a feed-forward network, each with a residual connection and a norm.
#[expect(missing_debug_implementations, reason = "the parts inside have none")]
pub struct Layer {
    placement: NormPlacement,
    attention: Box<dyn SelfAttention>,
    feed_forward: Box<dyn FeedForward>,
    norm1: LayerNorm,
    norm2: LayerNorm,
    dropout: Dropout,
}

impl EncoderLayer for Layer {
    fn new(config: EncoderConfig, below: &dyn LayerParts, vb: VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            placement: config.norm,
            attention: below.attention(vb.pp("self_attn"))?,
            feed_forward: below.feed_forward(vb.pp("feed_forward"))?,
            norm1: layer_norm(config.d_model, EPSILON, vb.pp("norm1"))?,
            norm2: layer_norm(config.d_model, EPSILON, vb.pp("norm2"))?,
            dropout: Dropout::new(config.dropout),
        })
    }

    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        match self.placement {
            NormPlacement::Post => {
                let attended = self.attention.attend(x, mask, train)?;
                let y = self.norm1.forward(&(x + self.dropout.forward(&attended, train)?)?)?;
                let fed = self.feed_forward.forward(&y, train)?;
                self.norm2.forward(&(&y + self.dropout.forward(&fed, train)?)?)
            }
            NormPlacement::Pre => {
                let attended = self.attention.attend(&self.norm1.forward(x)?, mask, train)?;
                let y = (x + self.dropout.forward(&attended, train)?)?;
                let fed = self.feed_forward.forward(&self.norm2.forward(&y)?, train)?;
                &y + self.dropout.forward(&fed, train)?
            }
        }
    }
}
