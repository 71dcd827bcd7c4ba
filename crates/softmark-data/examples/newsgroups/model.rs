//! The benchmark's encoder with a linear head, built from the kit's layers.

use softmark_kit::nn::attention::scaled_dot_product_attention;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::nn::{
    Dropout, Embedding, LayerNorm, Linear, embedding, embedding_with_padding, layer_norm, linear,
    ops,
};
use softmark_kit::prelude::*;
use softmark_kit::train::Model;

const WIDTH: usize = 64;
const HEADS: usize = 4;
const INSIDE: usize = 128;
const LAYERS: usize = 2;
const POSITIONS: usize = 512;
const DROPOUT: f32 = 0.1;
const EPSILON: f64 = 1e-5;

/// The sizes that depend on the data.
pub(crate) struct Sizes {
    /// Vocabulary size `V`.
    pub(crate) vocabulary: usize,
    /// Number of classes `C`.
    pub(crate) classes: usize,
}

/// A pre-norm encoder layer.
struct Layer {
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    out_proj: Linear,
    linear1: Linear,
    linear2: Linear,
    norm1: LayerNorm,
    norm2: LayerNorm,
    dropout: Dropout,
}

impl Layer {
    fn new(vb: &VarBuilder<'_>) -> Result<Self> {
        let (attention, inside) = (vb.pp("self_attn"), vb.pp("feed_forward"));
        let projection = |name: &str| linear(WIDTH, WIDTH, attention.pp(name));
        Ok(Self {
            q_proj: projection("q_proj")?,
            k_proj: projection("k_proj")?,
            v_proj: projection("v_proj")?,
            out_proj: projection("out_proj")?,
            linear1: linear(WIDTH, INSIDE, inside.pp("linear1"))?,
            linear2: linear(INSIDE, WIDTH, inside.pp("linear2"))?,
            norm1: layer_norm(WIDTH, EPSILON, vb.pp("norm1"))?,
            norm2: layer_norm(WIDTH, EPSILON, vb.pp("norm2"))?,
            dropout: Dropout::new(DROPOUT),
        })
    }

    /// Applies the layer to `x` `[B, T, D]` with `mask` `[B, 1, T, T]`.
    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (b, t, d) = x.dims3()?;
        let normed = self.norm1.forward(x)?;
        let split = |projected: Tensor| {
            projected.reshape((b, t, HEADS, d / HEADS))?.transpose(1, 2) // [B, H, T, K]
        };
        let query = split(self.q_proj.forward(&normed)?)?;
        let key = split(self.k_proj.forward(&normed)?)?;
        let value = split(self.v_proj.forward(&normed)?)?;
        let heads = scaled_dot_product_attention(&query, &key, &value, Some(mask), DROPOUT, train)?;
        let merged = heads.transpose(1, 2)?.reshape((b, t, d))?;
        let x = (x + self.dropout.forward(&self.out_proj.forward(&merged)?, train)?)?;
        let hidden = ops::gelu_erf(&self.linear1.forward(&self.norm2.forward(&x)?)?)?; // [B, T, F]
        let hidden = self.dropout.forward(&hidden, train)?;
        &x + self.dropout.forward(&self.linear2.forward(&hidden)?, train)?
    }
}

/// Classifier: word and position embeddings, two layers, a norm, the mean over the words and a linear head.
pub(crate) struct Classifier {
    tokens: Embedding,
    positions: Embedding,
    layers: Vec<Layer>,
    norm: LayerNorm,
    head: Linear,
    dropout: Dropout,
}

impl Classifier {
    pub(crate) fn new(sizes: &Sizes, vb: &VarBuilder<'_>) -> Result<Self> {
        let layers = (0..LAYERS).map(|n| Layer::new(&vb.pp("layers").pp(n)));
        Ok(Self {
            tokens: embedding_with_padding(sizes.vocabulary, WIDTH, 0, vb.pp("token_embedding"))?,
            positions: embedding(POSITIONS, WIDTH, vb.pp("position_embedding"))?,
            layers: layers.collect::<Result<_>>()?,
            norm: layer_norm(WIDTH, EPSILON, vb.pp("norm"))?,
            head: linear(WIDTH, sizes.classes, vb.pp("classifier"))?,
            dropout: Dropout::new(DROPOUT),
        })
    }
}

impl Model for Classifier {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let places = Tensor::arange(0, u32::try_from(t)?, ids.device())?;
        let positions = self.positions.forward(&places)?; // [T, D]
        let x = self.tokens.forward(ids)?.broadcast_add(&positions)?; // [B, T, D]
        let mut x = self.dropout.forward(&x, train)?;
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?.contiguous()?;
        for layer in &self.layers {
            x = layer.forward(&x, &seen, train)?;
        }
        self.head.forward(&masked_mean(&self.norm.forward(&x)?, mask)?)
    }
}
