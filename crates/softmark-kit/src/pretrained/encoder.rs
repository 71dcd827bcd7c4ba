//! The encoder: an embedding step, and a stack of post-norm layers.

use std::sync::Arc;

use candle_core::{DType, Module as _, Result, Tensor, bail};
use candle_nn::VarBuilder;

use crate::nn::attention::attention_side_by_side;
use crate::nn::frozen::{FrozenLayer, PostNorm, frozen_stack};
use crate::nn::{Dropout, Embedding, LayerNorm, Linear, embedding, layer_norm, linear};
use crate::pretrained::config::PretrainedConfig;

/// A pretrained encoder of the BERT family, whose two halves can be called separately.
///
/// ```text
/// embedded = norm(token[ids] + position[0 … T−1] + type[0])              [B, T, D]
/// per layer:
///     y = norm1(x + out_proj(attention(x)))
///     x = norm2(y + linear2(activation(linear1(y))))                     [B, T, D]
/// ```
///
/// From Devlin et al., *BERT* (2019), and Sanh et al., *`DistilBERT`* (2019), which has no segment types.
/// Vectors inserted between the halves, such as a prefix, pass through no table and no norm: they are direct
/// inputs of the layers.
///
/// Gradients reach the inputs and every trainable parameter: those whose tensors in `vb` are variables. A
/// layer without trainable parameters keeps only those results of a training step that the backward pass to
/// its input needs.
#[derive(Debug, Clone)]
pub struct PretrainedEncoder {
    config: PretrainedConfig,
    token: Embedding,
    position: Tensor,
    /// The row of segment type 0, `[D]`.
    segment: Option<Tensor>,
    norm: LayerNorm,
    layers: Vec<Layer>,
    /// The layers below the lowest trainable one, in frozen form.
    frozen: Arc<[FrozenLayer]>,
}

#[derive(Debug, Clone)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    rest: PostNorm,
    dropout: Dropout,
    attention_dropout: f32,
}

impl PretrainedEncoder {
    /// Constructs the encoder from the parameters below `vb`, by the names of
    /// [`PretrainedConfig::parameters`].
    ///
    /// # Errors
    ///
    /// Fails if a parameter is missing from `vb` or has another shape.
    #[expect(clippy::needless_pass_by_value, reason = "as candle's layers take it")]
    pub fn new(config: PretrainedConfig, vb: VarBuilder<'_>) -> Result<Self> {
        let d = config.d_model;
        let segment = if config.token_types > 0 {
            let types = vb.pp("type_embedding").get((config.token_types, d), "weight")?;
            Some(types.get(0)?)
        } else {
            None
        };
        let layer = |n: usize| Layer::new(&config, &vb.pp("layers").pp(n));
        let mut layers = (0..config.layers).map(layer).collect::<Result<Vec<_>>>()?;
        let mut frozen = Vec::new();
        for layer in &mut layers {
            let Some(found) = layer.freeze()? else { break };
            frozen.push(found);
        }
        Ok(Self {
            config,
            token: embedding(config.vocabulary, d, vb.pp("token_embedding"))?,
            position: vb.pp("position_embedding").get((config.max_len, d), "weight")?,
            segment,
            norm: layer_norm(d, config.norm_eps, vb.pp("embedding_norm"))?,
            layers,
            frozen: frozen.into(),
        })
    }

    /// Returns the sizes of the encoder.
    pub fn config(&self) -> &PretrainedConfig {
        &self.config
    }

    /// Embeds the tokens of a batch.
    ///
    /// # Shapes
    ///
    /// - `ids`: `[B, T]`, `u32`, `T ≤ max_len`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if an id is not in the vocabulary, or the texts are too long.
    pub fn embed(&self, ids: &Tensor) -> Result<Tensor> {
        let (_, length) = ids.dims2()?;
        let most = self.config.max_len;
        if length > most {
            bail!("a text of {length} tokens is too long for an encoder with {most} positions")
        }
        let mut place = self.position.narrow(0, 0, length)?;
        if let Some(segment) = &self.segment {
            place = place.broadcast_add(segment)?;
        }
        self.norm.forward(&self.token.forward(ids)?.broadcast_add(&place)?)
    }

    /// Runs the layers.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`: the result of [`embed`](Self::embed), with a prefix or without
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token or a prefix, 0 = padding**
    /// - returns `[B, T, D]`, `f32`; the output at padding has no meaning
    ///
    /// If `train` is true, dropout is applied with the probabilities of the config.
    ///
    /// # Errors
    ///
    /// Fails if the shapes do not match.
    pub fn encode(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (b, t, d) = x.dims3()?;
        if d != self.config.d_model || mask.dims() != [b, t] {
            let (wanted, mask) = (self.config.d_model, mask.shape());
            bail!(
                "the encoder takes [B, T, {wanted}] with a mask [B, T], got {:?} and {mask:?}",
                x.shape()
            )
        }
        let drops = train && self.config.dropout.max(self.config.attention_dropout) > 0.0;
        let (x, rest) = if drops || !x.device().is_cpu() || self.frozen.is_empty() {
            (x.clone(), self.layers.as_slice())
        } else {
            let rest = self.layers.get(self.frozen.len()..).unwrap_or_default();
            (frozen_stack(&self.frozen, x, mask)?, rest)
        };
        if rest.is_empty() {
            return Ok(x);
        }
        let mask = mask.to_dtype(DType::U8)?.reshape((b, 1, 1, t))?;
        let mask = mask.broadcast_as((b, 1, t, t))?.contiguous()?;
        rest.iter().try_fold(x, |x, layer| layer.forward(&x, &mask, train))
    }

    /// Embeds the tokens of a batch and runs the layers.
    ///
    /// # Shapes
    ///
    /// - `ids`: `[B, T]`, `u32`; `mask`: `[B, T]`, `u8`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Returns the errors of [`embed`](Self::embed) and [`encode`](Self::encode).
    pub fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let embedded = self.embed(ids)?;
        let embedded = Dropout::new(self.config.dropout).forward(&embedded, train)?;
        self.encode(&embedded, mask, train)
    }
}

impl Layer {
    fn new(config: &PretrainedConfig, vb: &VarBuilder<'_>) -> Result<Self> {
        let (d, f, eps) = (config.d_model, config.d_ff, config.norm_eps);
        let (attention, network) = (vb.pp("self_attn"), vb.pp("feed_forward"));
        Ok(Self {
            query: linear(d, d, attention.pp("q_proj"))?,
            key: linear(d, d, attention.pp("k_proj"))?,
            value: linear(d, d, attention.pp("v_proj"))?,
            rest: PostNorm {
                output: linear(d, d, attention.pp("out_proj"))?,
                norm1: layer_norm(d, eps, vb.pp("norm1"))?,
                linear1: linear(d, f, network.pp("linear1"))?,
                linear2: linear(f, d, network.pp("linear2"))?,
                norm2: layer_norm(d, eps, vb.pp("norm2"))?,
                heads: config.heads,
                activation: config.activation,
            },
            dropout: Dropout::new(config.dropout),
            attention_dropout: config.attention_dropout,
        })
    }

    /// Returns the layer as a frozen layer and shares its parameters with it; `None` if the layer is trainable.
    fn freeze(&mut self) -> Result<Option<FrozenLayer>> {
        let frozen = FrozenLayer::new([&self.query, &self.key, &self.value], &self.rest)?;
        if let Some(frozen) = &frozen {
            [self.query, self.key, self.value] = frozen.projections()?;
        }
        Ok(frozen)
    }

    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let PostNorm { output, norm1, linear1, linear2, norm2, heads, activation } = &self.rest;
        let (query, key) = (self.query.forward(x)?, self.key.forward(x)?);
        let value = self.value.forward(x)?;
        let dropout = train.then_some(self.attention_dropout);
        let mixed = attention_side_by_side(&query, &key, &value, *heads, Some(mask), dropout)?;
        let added = self.dropout.forward(&output.forward(&mixed)?, train)?;
        let y = norm1.forward(&(x + added)?)?;
        let hidden = activation.forward(&linear1.forward(&y)?)?;
        let added = self.dropout.forward(&linear2.forward(&hidden)?, train)?;
        norm2.forward(&(y + added)?)
    }
}
