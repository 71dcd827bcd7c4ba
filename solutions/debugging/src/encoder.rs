//! The encoder. Provided; leave it as it is.

use softmark_kit::nn::{
    Dropout, Embedding, LayerNorm, embedding, embedding_with_padding, layer_norm,
};
use softmark_kit::prelude::*;

const EPSILON: f64 = 1e-5;

/// Embedded tokens and positions, then a stack of layers.
#[expect(missing_debug_implementations, reason = "the layers inside have none")]
pub struct Stack {
    config: EncoderConfig,
    tokens: Embedding,
    positions: Embedding,
    layers: Vec<Box<dyn EncoderLayer>>,
    norm: Option<LayerNorm>,
    dropout: Dropout,
}

impl Encoder for Stack {
    fn new(config: EncoderConfig, below: &dyn EncoderParts, vb: VarBuilder<'_>) -> Result<Self> {
        let EncoderConfig { vocabulary, max_len, d_model, .. } = config;
        let layers = vb.pp("layers");
        let norm = match config.norm {
            NormPlacement::Pre => Some(layer_norm(d_model, EPSILON, vb.pp("norm"))?),
            NormPlacement::Post => None,
        };
        Ok(Self {
            config,
            tokens: embedding_with_padding(vocabulary, d_model, 0, vb.pp("token_embedding"))?,
            positions: embedding(max_len, d_model, vb.pp("position_embedding"))?,
            layers: (0..config.layers).map(|n| below.layer(layers.pp(n))).collect::<Result<_>>()?,
            norm,
            dropout: Dropout::new(config.dropout),
        })
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let EncoderConfig { vocabulary, max_len, .. } = self.config;
        let (_, t) = ids.dims2()?;
        if t > max_len {
            candle_core::bail!("a sequence of length {t}, at most {max_len} can be encoded");
        }
        let largest = ids.flatten_all()?.max(0)?.to_scalar::<u32>()? as usize;
        if largest >= vocabulary {
            candle_core::bail!("token id {largest} in a vocabulary of {vocabulary}");
        }
        let places = Tensor::arange(0, u32::try_from(t)?, ids.device())?.unsqueeze(0)?; // [1, T]
        let positions = self.positions.forward(&places)?; // [1, T, D]
        let x = self.tokens.forward(ids)?.broadcast_add(&positions)?; // [B, T, D]
        let mut x = self.dropout.forward(&x, train)?;
        for layer in &self.layers {
            x = layer.forward(&x, mask, train)?;
        }
        match &self.norm {
            Some(norm) => norm.forward(&x),
            None => Ok(x),
        }
    }
}
