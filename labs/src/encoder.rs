//! Encoder layers that several labs share, with points for hooks.

use softmark_common::encoder::{EncoderConfig, NormPlacement};
use softmark_kit::hooks::{Point, WEIGHTS};
use softmark_kit::nn::attention::{attention_side_by_side, attention_weights};
use softmark_kit::nn::{Activation, Dropout, LayerNorm, Linear, layer_norm, linear};
use softmark_kit::prelude::*;

/// `ε` of all layer norms, as in PyTorch.
pub const EPSILON: f64 = 1e-5;

/// Multi-head self-attention over the real tokens.
#[derive(Debug)]
pub struct SelfAttention {
    heads: usize,
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    out_proj: Linear,
    dropout: f32,
    /// Shows `weights` `[B, H, T, T]` to hooks.
    point: Point,
}

impl SelfAttention {
    /// Constructs the attention of a layer; its point has the name of the builder's prefix.
    ///
    /// # Errors
    ///
    /// Fails if a parameter cannot be created, or the heads do not divide the width.
    pub fn new(config: &EncoderConfig, hooks: &Hooks, vb: &VarBuilder<'_>) -> Result<Self> {
        let EncoderConfig { d_model: width, heads, dropout, .. } = *config;
        if heads == 0 || width % heads != 0 {
            candle_core::bail!("{heads} heads do not divide a width of {width}")
        }
        let projection = |name: &str| linear(width, width, vb.pp(name));
        Ok(Self {
            heads,
            q_proj: projection("q_proj")?,
            k_proj: projection("k_proj")?,
            v_proj: projection("v_proj")?,
            out_proj: projection("out_proj")?,
            dropout,
            point: hooks.point(&vb.prefix()),
        })
    }

    /// Applies attention to `x` `[B, T, D]` with `mask` `[B, T]`, 1 for a real token; returns `[B, T, D]`.
    ///
    /// # Errors
    ///
    /// Returns the first error of an operation or a hook.
    pub fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (b, t, _) = x.dims3()?;
        let (q, k, v) = (self.q_proj.forward(x)?, self.k_proj.forward(x)?, self.v_proj.forward(x)?);
        // Every query sees the same keys.
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?.contiguous()?;
        if self.point.is_watched() {
            let split =
                |x: &Tensor| x.reshape((b, t, self.heads, ()))?.transpose(1, 2)?.contiguous();
            let weights = attention_weights(&split(&q)?, &split(&k)?, Some(&seen))?;
            self.point.show(&[("x", x)], &[(WEIGHTS, &weights)])?;
        }
        let dropout = train.then_some(self.dropout);
        let context = attention_side_by_side(&q, &k, &v, self.heads, Some(&seen), dropout)?;
        self.out_proj.forward(&context)
    }
}

/// Position-wise feed-forward network: two linear maps with an activation between them.
#[derive(Debug)]
pub struct FeedForward {
    linear1: Linear,
    linear2: Linear,
    activation: Activation,
    dropout: Dropout,
}

impl FeedForward {
    /// Constructs the network of a layer.
    ///
    /// # Errors
    ///
    /// Fails if a parameter cannot be created.
    pub fn new(config: &EncoderConfig, vb: &VarBuilder<'_>) -> Result<Self> {
        let EncoderConfig { d_model: width, d_ff: inside, activation, dropout, .. } = *config;
        Ok(Self {
            linear1: linear(width, inside, vb.pp("linear1"))?,
            linear2: linear(inside, width, vb.pp("linear2"))?,
            activation: activation.into(),
            dropout: Dropout::new(dropout),
        })
    }

    /// Applies the network to `x` `[B, T, D]`.
    ///
    /// # Errors
    ///
    /// Returns the first error of an operation.
    pub fn forward(&self, x: &Tensor, train: bool) -> Result<Tensor> {
        let hidden = self.activation.forward(&self.linear1.forward(x)?)?; // [B, T, F]
        self.linear2.forward(&self.dropout.forward(&hidden, train)?)
    }
}

/// Encoder layer: attention and a feed-forward network, each with a residual sum and a norm.
#[derive(Debug)]
pub struct Layer {
    norm: NormPlacement,
    self_attn: SelfAttention,
    feed_forward: FeedForward,
    norm1: LayerNorm,
    norm2: LayerNorm,
    dropout: Dropout,
}

impl Layer {
    /// Constructs a layer.
    ///
    /// # Errors
    ///
    /// Fails if a parameter cannot be created.
    pub fn new(config: &EncoderConfig, hooks: &Hooks, vb: &VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            norm: config.norm,
            self_attn: SelfAttention::new(config, hooks, &vb.pp("self_attn"))?,
            feed_forward: FeedForward::new(config, &vb.pp("feed_forward"))?,
            norm1: layer_norm(config.d_model, EPSILON, vb.pp("norm1"))?,
            norm2: layer_norm(config.d_model, EPSILON, vb.pp("norm2"))?,
            dropout: Dropout::new(config.dropout),
        })
    }

    /// Applies the layer to `x` `[B, T, D]` with `mask` `[B, T]`, 1 for a real token.
    ///
    /// # Errors
    ///
    /// Returns the first error of an operation or a hook.
    pub fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let attend =
            |x: &Tensor| self.dropout.forward(&self.self_attn.forward(x, mask, train)?, train);
        let feed = |x: &Tensor| self.dropout.forward(&self.feed_forward.forward(x, train)?, train);
        match self.norm {
            NormPlacement::Post => {
                let x = self.norm1.forward(&(x + attend(x)?)?)?;
                self.norm2.forward(&(&x + feed(&x)?)?)
            }
            NormPlacement::Pre => {
                let x = (x + attend(&self.norm1.forward(x)?)?)?;
                &x + feed(&self.norm2.forward(&x)?)?
            }
        }
    }
}

/// Constructs the layers of an encoder under `layers.0`, `layers.1`, ….
///
/// # Errors
///
/// Fails if a parameter cannot be created.
pub fn layers(config: &EncoderConfig, hooks: &Hooks, vb: &VarBuilder<'_>) -> Result<Vec<Layer>> {
    let layers = vb.pp("layers");
    (0..config.layers).map(|n| Layer::new(config, hooks, &layers.pp(n))).collect()
}

/// Returns the positions `0 .. T` of ids `[B, T]`, as `[T]`.
///
/// # Errors
///
/// Fails if the ids have another number of axes.
pub fn positions(ids: &Tensor) -> Result<Tensor> {
    let (_, t) = ids.dims2()?;
    Tensor::arange(0, u32::try_from(t)?, ids.device())
}

/// Returns the sinusoidal positions `[T, D]` of Vaswani et al. (2017), section 3.5, for an even width `D`.
///
/// ```text
/// p[t, 2i] = sin(t / 10000^(2i/D))        p[t, 2i + 1] = cos(t / 10000^(2i/D))
/// ```
///
/// # Errors
///
/// Fails if the tensor cannot be created on the device.
pub fn sinusoids(length: usize, width: usize, device: &Device) -> Result<Tensor> {
    let mut table = Vec::with_capacity(length * width);
    for position in 0..length {
        for channel in 0..width {
            let exponent = (channel - channel % 2) as f64 / width as f64;
            // With `libm`, the bits are the same on every platform.
            let angle = position as f64 / libm::pow(10_000.0, exponent);
            table.push(if channel % 2 == 0 { libm::sin(angle) } else { libm::cos(angle) });
        }
    }
    Tensor::from_vec(table, (length, width), &Device::Cpu)?.to_dtype(DType::F32)?.to_device(device)
}

#[cfg(test)]
mod tests {
    use softmark_common::encoder::Activation;
    use softmark_kit::hooks::AttentionRecorder;
    use softmark_kit::init::{Parameters, drawn};

    use super::*;

    fn config(norm: NormPlacement) -> EncoderConfig {
        EncoderConfig {
            vocabulary: 9,
            max_len: 4,
            d_model: 6,
            heads: 2,
            d_ff: 8,
            layers: 1,
            norm,
            activation: Activation::Relu,
            dropout: 0.1,
        }
    }

    fn input() -> (Tensor, Tensor) {
        let init = candle_nn::Init::Randn { mean: 0.0, stdev: 1.0 };
        let mask = Tensor::new(&[[1_u8, 1, 1, 0], [1, 1, 1, 1]], &Device::Cpu).unwrap();
        (drawn(1, "x", init, &(2, 4, 6).into()).unwrap(), mask)
    }

    fn values(x: &Tensor) -> Vec<f32> {
        x.flatten_all().unwrap().to_vec1().unwrap()
    }

    #[test]
    fn layers_with_silent_sublayers_keep_or_norm_their_input() {
        let (x, mask) = input();
        for norm in [NormPlacement::Pre, NormPlacement::Post] {
            let parameters = Parameters::new(1, &Device::Cpu);
            let layer = Layer::new(&config(norm), &Hooks::new(), &parameters.builder()).unwrap();
            for (name, var) in parameters.vars() {
                if name.contains("out_proj") || name.contains("linear2") {
                    var.set(&var.zeros_like().unwrap()).unwrap();
                }
            }
            let y = layer.forward(&x, &mask, false).unwrap();
            match norm {
                NormPlacement::Pre => assert_eq!(values(&y), values(&x)),
                NormPlacement::Post => {
                    let mean = y.mean(2).unwrap().abs().unwrap();
                    assert!(values(&mean).iter().all(|it| *it < 1e-5), "{mean}");
                }
            }
        }
    }

    #[test]
    fn padding_has_no_influence_and_no_weight() {
        let (x, mask) = input();
        let (hooks, parameters) = (Hooks::new(), Parameters::new(1, &Device::Cpu));
        let config = config(NormPlacement::Post);
        let layers = layers(&config, &hooks, &parameters.builder()).unwrap();
        let mut recorder = AttentionRecorder::new(1 << 20);
        recorder.watch(&hooks, "layers.0.self_attn").unwrap();
        let y = layers[0].forward(&x, &mask, false).unwrap();
        let weights = recorder.records()[0].weights.clone();
        assert_eq!(weights.dims(), [2, 2, 4, 4]);
        assert!(values(&weights.i((0, .., .., 3)).unwrap()).iter().all(|it| *it == 0.0));
        drop(recorder);
        let ones = Tensor::ones((1, 1, 6), DType::F32, &Device::Cpu).unwrap();
        let first = Tensor::cat(&[&x.i((0..1, 0..3)).unwrap(), &ones], 1).unwrap();
        let other = Tensor::cat(&[&first, &x.i(1..2).unwrap()], 0).unwrap();
        let moved = layers[0].forward(&other, &mask, false).unwrap();
        let real = |of: &Tensor| values(&of.i((0, 0..3)).unwrap());
        assert_eq!(real(&moved), real(&y), "watched or not, whatever padding holds");
    }

    #[test]
    fn sinusoids_are_those_of_the_paper() {
        let rows = sinusoids(3, 4, &Device::Cpu).unwrap().to_vec2::<f32>().unwrap();
        assert_eq!(rows[0], [0.0, 1.0, 0.0, 1.0]);
        // The second pair turns by 1/100 of a radian for each position.
        let want = [2_f64.sin(), 2_f64.cos(), 0.02_f64.sin(), 0.02_f64.cos()];
        for (got, want) in rows[2].iter().zip(want) {
            assert!((f64::from(*got) - want).abs() < 1e-6, "{rows:?}");
        }
    }

    #[test]
    fn heads_that_do_not_divide_the_width_are_an_error() {
        let parameters = Parameters::new(1, &Device::Cpu);
        let config = EncoderConfig { heads: 4, ..config(NormPlacement::Pre) };
        let error = Layer::new(&config, &Hooks::new(), &parameters.builder()).unwrap_err();
        assert!(error.to_string().contains("4 heads do not divide a width of 6"), "{error}");
    }
}
