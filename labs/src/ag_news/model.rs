//! One self-attention over embedded pieces, and the mean of the embeddings as its baseline.

use candle_nn::Init;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::pooling::{masked_first, masked_max, masked_mean};
use softmark_kit::nn::{Dropout, Embedding, LayerNorm, Linear, embedding, layer_norm, linear};
use softmark_kit::prelude::*;
use softmark_kit::train::Model;

use crate::encoder::{EPSILON, sinusoids};

/// Width of the embeddings and of the attention, `D`.
pub(super) const WIDTH: usize = 100;

/// Id of the padding.
const PADDING: u32 = 0;

/// Factor of the embeddings, √D as in Vaswani et al., section 3.4; they are drawn with a standard deviation of 1/√D.
const SCALE: f64 = 10.0;

/// Encoding of the positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Positions {
    /// Sines and cosines of Vaswani et al., *Attention Is All You Need* (2017), section 3.5.
    Sinusoidal,
    /// A trained vector for each position.
    Learned,
}

impl Positions {
    /// Returns the name in tables.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Self::Sinusoidal => "sinusoidal",
            Self::Learned => "learned",
        }
    }
}

/// Pooling of the attention's outputs into one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooled {
    /// Mean over the pieces.
    Mean,
    /// Largest value of each channel.
    Max,
    /// Output at the token `[CLS]`.
    Cls,
}

impl Pooled {
    /// Returns the name in tables.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Max => "max",
            Self::Cls => "[CLS]",
        }
    }
}

/// Treatment of the attention's outputs before pooling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Norm {
    /// No normalization.
    Absent,
    /// Layer normalization.
    Layer,
}

impl Norm {
    /// Returns the name in tables.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Self::Absent => "none",
            Self::Layer => "layer",
        }
    }
}

/// The attention between embedding and pooling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attention {
    /// Number of heads, a divisor of [`WIDTH`].
    pub(super) heads: usize,
    /// Encoding of the positions.
    pub(super) positions: Positions,
    /// Treatment of the outputs.
    pub(super) norm: Norm,
}

/// Architecture of a classifier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Architecture {
    /// The attention; `None` for the baseline, which pools the embeddings.
    pub(super) attention: Option<Attention>,
    /// Pooling before the linear head.
    pub(super) pooled: Pooled,
    /// Probability of dropout on the embeddings and on the pooled vector.
    pub(super) dropout: f32,
}

/// Sizes that depend on the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Number of pieces, `V`.
    pub(super) vocabulary: usize,
    /// Maximum number of pieces of a text.
    pub(super) max_len: usize,
    /// Number of classes, `C`.
    pub(super) classes: usize,
}

/// A self-attention with its positions and its norm.
struct SelfAttention {
    heads: usize,
    /// Vector of each position, `[max_len, D]`.
    positions: Tensor,
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    out_proj: Linear,
    norm: Option<LayerNorm>,
}

impl SelfAttention {
    fn new(config: Attention, sizes: &Sizes, vb: &VarBuilder<'_>) -> Result<Self> {
        let positions = match config.positions {
            Positions::Sinusoidal => sinusoids(sizes.max_len, WIDTH, vb.device())?,
            Positions::Learned => {
                let table = embedding(sizes.max_len, WIDTH, vb.pp("position_embedding"))?;
                table.embeddings().clone()
            }
        };
        let norm = match config.norm {
            Norm::Absent => None,
            Norm::Layer => Some(layer_norm(WIDTH, EPSILON, vb.pp("norm"))?),
        };
        let projection = |name: &str| linear(WIDTH, WIDTH, vb.pp("self_attn").pp(name));
        Ok(Self {
            heads: config.heads,
            positions,
            q_proj: projection("q_proj")?,
            k_proj: projection("k_proj")?,
            v_proj: projection("v_proj")?,
            out_proj: projection("out_proj")?,
            norm,
        })
    }

    /// Applies the layer to `x` `[B, T, D]` with `mask` `[B, T]`; there is no residual connection.
    fn forward(&self, x: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (b, t, _) = x.dims3()?;
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?.contiguous()?;
        let query = self.q_proj.forward(x)?;
        let key = self.k_proj.forward(x)?;
        let value = self.v_proj.forward(x)?;
        let mixed = attention_side_by_side(&query, &key, &value, self.heads, Some(&seen), None)?;
        let output = self.out_proj.forward(&mixed)?;
        match &self.norm {
            Some(norm) => norm.forward(&output),
            None => Ok(output),
        }
    }
}

/// A classifier of one of the compared architectures.
pub(super) struct Classifier {
    tokens: Embedding,
    attention: Option<SelfAttention>,
    pooled: Pooled,
    dropout: Dropout,
    head: Linear,
}

impl Classifier {
    /// Constructs the classifier with the parameters of `vb`.
    pub(super) fn new(
        architecture: &Architecture,
        sizes: &Sizes,
        vb: &VarBuilder<'_>,
    ) -> Result<Self> {
        let attention = architecture.attention.map(|it| SelfAttention::new(it, sizes, vb));
        let init = Init::Randn { mean: 0.0, stdev: 1.0 / SCALE };
        let shape = (sizes.vocabulary, WIDTH);
        let tokens = vb.pp("token_embedding").get_with_hints(shape, "weight", init)?;
        Ok(Self {
            tokens: Embedding::new(tokens, WIDTH).with_padding(PADDING),
            attention: attention.transpose()?,
            pooled: architecture.pooled,
            dropout: Dropout::new(architecture.dropout),
            head: linear(WIDTH, sizes.classes, vb.pp("classifier"))?,
        })
    }
}

impl Model for Classifier {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let embedded = (self.tokens.forward(ids)? * SCALE)?; // [B, T, D]
        let output = match &self.attention {
            Some(attention) => {
                let positions = attention.positions.narrow(0, 0, ids.dim(1)?)?;
                let x = self.dropout.forward(&embedded.broadcast_add(&positions)?, train)?;
                attention.forward(&x, mask)?
            }
            None => self.dropout.forward(&embedded, train)?,
        };
        let pooled = match self.pooled {
            Pooled::Mean => masked_mean(&output, mask)?,
            Pooled::Max => masked_max(&output, mask)?,
            Pooled::Cls => masked_first(&output, mask)?,
        };
        self.head.forward(&self.dropout.forward(&pooled, train)?)
    }
}

#[cfg(test)]
mod tests {
    use softmark_kit::init::Parameters;

    use super::*;

    const SIZES: Sizes = Sizes { vocabulary: 7, max_len: 5, classes: 4 };

    fn attention(heads: usize) -> Attention {
        Attention { heads, positions: Positions::Sinusoidal, norm: Norm::Absent }
    }

    fn built(architecture: Architecture) -> (Classifier, Parameters) {
        let parameters = Parameters::new(1, &Device::Cpu);
        let model = Classifier::new(&architecture, &SIZES, &parameters.builder()).unwrap();
        (model, parameters)
    }

    fn logits(model: &Classifier, ids: &[u32], mask: &[u8]) -> Vec<f32> {
        let ids = Tensor::from_slice(ids, (1, ids.len()), &Device::Cpu).unwrap();
        let mask = Tensor::from_slice(mask, (1, mask.len()), &Device::Cpu).unwrap();
        model.logits(&ids, &mask, false).unwrap().squeeze(0).unwrap().to_vec1().unwrap()
    }

    #[test]
    fn parameters_are_those_of_the_architecture() {
        let baseline = Architecture { attention: None, pooled: Pooled::Mean, dropout: 0.0 };
        assert_eq!(built(baseline).1.count(), 7 * 100 + 404);
        let plain = Architecture { attention: Some(attention(2)), ..baseline };
        assert_eq!(built(plain).1.count(), 1104 + 4 * 10_100);
        let learned = Attention { positions: Positions::Learned, norm: Norm::Layer, heads: 2 };
        let learned = Architecture { attention: Some(learned), ..plain };
        assert_eq!(built(learned).1.count(), 1104 + 4 * 10_100 + 500 + 200);
    }

    #[test]
    fn order_changes_the_attention_and_not_the_baseline() {
        for attention in [None, Some(attention(10))] {
            for pooled in [Pooled::Mean, Pooled::Max] {
                let (model, _) = built(Architecture { attention, pooled, dropout: 0.0 });
                let found = logits(&model, &[2, 5, 6, 3], &[1; 4]);
                let turned = logits(&model, &[2, 6, 5, 3], &[1; 4]);
                let away = found.iter().zip(&turned).map(|(a, b)| (a - b).abs());
                let away = away.fold(0.0, f32::max);
                assert_eq!(away > 1e-5, attention.is_some(), "{attention:?} {pooled:?}: {away}");
            }
        }
    }

    #[test]
    fn padding_changes_nothing() {
        for pooled in [Pooled::Mean, Pooled::Max, Pooled::Cls] {
            let attention = Some(attention(1));
            let (model, _) = built(Architecture { attention, pooled, dropout: 0.0 });
            let short = logits(&model, &[2, 5, 3], &[1, 1, 1]);
            let padded = logits(&model, &[2, 5, 3, 0, 0], &[1, 1, 1, 0, 0]);
            for (a, b) in short.iter().zip(&padded) {
                assert!((a - b).abs() < 1e-5, "{pooled:?}: {short:?} {padded:?}");
            }
        }
    }
}
