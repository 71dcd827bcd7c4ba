//! An encoder layer with each residual sum planted as a bug or repaired.

use softmark_common::encoder::EncoderConfig;
use softmark_kit::hooks::Point;
use softmark_kit::nn::{Dropout, LayerNorm, layer_norm};
use softmark_kit::prelude::*;

use crate::classifier::EncoderLayer;
use crate::encoder::{EPSILON, FeedForward, SelfAttention};

/// The residual sums of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residuals {
    /// Both are wrong: attention's output replaces its input, and the network's output is added to itself.
    Planted,
    /// Only the sum around attention is repaired.
    AttentionRepaired,
    /// Only the sum around the feed-forward network is repaired.
    FeedForwardRepaired,
    /// Both are right.
    Repaired,
}

impl Residuals {
    /// All of them, from the planted bug to its repair.
    pub const ALL: [Self; 4] =
        [Self::Planted, Self::AttentionRepaired, Self::FeedForwardRepaired, Self::Repaired];

    /// Returns the name of a run with these sums.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planted => "planted-bug",
            Self::AttentionRepaired => "attention-repaired",
            Self::FeedForwardRepaired => "feed-forward-repaired",
            Self::Repaired => "repaired",
        }
    }

    /// True if the input of attention is added to its output.
    fn around_attention(self) -> bool {
        matches!(self, Self::AttentionRepaired | Self::Repaired)
    }

    /// True if the input of the feed-forward network is added to its output.
    fn around_feed_forward(self) -> bool {
        matches!(self, Self::FeedForwardRepaired | Self::Repaired)
    }
}

/// Output of a layer, as shown to hooks.
pub(super) const OUTPUT: &str = "x";

/// Pre-norm encoder layer whose residual sums are chosen.
#[derive(Debug)]
pub(super) struct Layer {
    residuals: Residuals,
    self_attn: SelfAttention,
    feed_forward: FeedForward,
    norm1: LayerNorm,
    norm2: LayerNorm,
    dropout: Dropout,
    point: Point,
}

impl Layer {
    pub(super) fn new(
        config: &EncoderConfig,
        residuals: Residuals,
        hooks: &Hooks,
        vb: &VarBuilder<'_>,
    ) -> Result<Self> {
        Ok(Self {
            residuals,
            self_attn: SelfAttention::new(config, hooks, &vb.pp("self_attn"))?,
            feed_forward: FeedForward::new(config, &vb.pp("feed_forward"))?,
            norm1: layer_norm(config.d_model, EPSILON, vb.pp("norm1"))?,
            norm2: layer_norm(config.d_model, EPSILON, vb.pp("norm2"))?,
            dropout: Dropout::new(config.dropout),
            point: hooks.point(&vb.prefix()),
        })
    }
}

impl EncoderLayer for Layer {
    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let attended = self.self_attn.forward(&self.norm1.forward(x)?, mask, train)?;
        let attended = self.dropout.forward(&attended, train)?;
        let y = if self.residuals.around_attention() { (x + attended)? } else { attended };
        let fed = self.feed_forward.forward(&self.norm2.forward(&y)?, train)?;
        let fed = self.dropout.forward(&fed, train)?;
        let output = if self.residuals.around_feed_forward() { &y + fed } else { &fed + &fed }?;
        self.point.show(&[], &[(OUTPUT, &output)])?;
        Ok(output)
    }
}
