//! An encoder layer that runs, and does not learn. Provided; leave it as it is.
//!
//! It asks for the right parameters, its output has the right shape, and no number in it is strange.

use softmark_kit::nn::{Dropout, LayerNorm, layer_norm};
use softmark_kit::prelude::*;

const EPSILON: f64 = 1e-5;

/// Attention and a feed-forward network.
#[expect(missing_debug_implementations, reason = "the parts inside have none")]
pub struct BuggyLayer {
    placement: NormPlacement,
    attention: Box<dyn SelfAttention>,
    feed_forward: Box<dyn FeedForward>,
    norm1: LayerNorm,
    norm2: LayerNorm,
    dropout: Dropout,
}

impl EncoderLayer for BuggyLayer {
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
        let given = self.before(&self.norm1, x)?;
        let attended = self.attention.attend(&given, mask, train)?;
        let attended = self.dropout.forward(&attended, train)?;
        let y = self.after(&self.norm1, &attended)?;

        let given = self.before(&self.norm2, &y)?;
        let fed = self.feed_forward.forward(&given, train)?;
        let fed = self.dropout.forward(&fed, train)?;
        let sum = (&fed + &fed)?;
        self.after(&self.norm2, &sum)
    }
}

impl BuggyLayer {
    /// Pre-norm: the norm stands before a sublayer.
    fn before(&self, norm: &LayerNorm, x: &Tensor) -> Result<Tensor> {
        match self.placement {
            NormPlacement::Pre => norm.forward(x),
            NormPlacement::Post => Ok(x.clone()),
        }
    }

    /// Post-norm: the norm stands after a residual sum.
    fn after(&self, norm: &LayerNorm, x: &Tensor) -> Result<Tensor> {
        match self.placement {
            NormPlacement::Pre => Ok(x.clone()),
            NormPlacement::Post => norm.forward(x),
        }
    }
}
