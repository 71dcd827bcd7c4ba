//! Positional encodings, which give a transformer the order of its tokens.

use candle_core::{Device, Result, Tensor};
use candle_nn::VarBuilder;

/// The sizes of a positional encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionConfig {
    /// `D`, the width of the model.
    pub d_model: usize,
    /// Maximum length of a sequence.
    pub max_len: usize,
}

/// Sinusoidal positional encoding, added to the embedded tokens.
///
/// ```text
/// PE[t, 2i]     = sin(t / 10000^(2i/D))
/// PE[t, 2i + 1] = cos(t / 10000^(2i/D))       t = 0, 1, …   i = 0 .. D/2
/// output[b, t]  = x[b, t] + PE[t]             [B, T, D]
/// ```
///
/// From Vaswani et al., *Attention Is All You Need* (2017), section 3.5. Sines and cosines alternate along
/// the channels, and the first position is 0.
///
/// The encoding has no parameters, and does not scale the input.
///
/// # Edge cases
///
/// - An odd `d_model` leaves a sine without its cosine: an error from [`new`](Self::new).
/// - A sequence longer than `max_len` is an error from [`encode`](Self::encode), not a panic.
/// - The gradient of the output with respect to the input is the identity.
///
/// # Examples
///
/// At position 0 every sine is 0 and every cosine is 1; `FirstOnly` handles only this position.
///
/// ```
/// # use attention_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// struct FirstOnly(PositionConfig);
///
/// impl SinusoidalPosition for FirstOnly {
///     fn new(config: PositionConfig) -> Result<Self> {
///         Ok(Self(config))
///     }
///     fn encode(&self, x: &Tensor) -> Result<Tensor> {
///         let row: Vec<f32> = (0..self.0.d_model).map(|c| (c % 2) as f32).collect();
///         x.broadcast_add(&Tensor::new(row, x.device())?)
///     }
/// }
///
/// let position = FirstOnly::new(PositionConfig { d_model: 4, max_len: 8 })?;
/// let x = Tensor::zeros((1, 1, 4), DType::F32, &Device::Cpu)?; // [B, T, D]
/// assert_eq!(position.encode(&x)?.i((0, 0))?.to_vec1::<f32>()?, [0.0, 1.0, 0.0, 1.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait SinusoidalPosition: Sized {
    /// Constructs the encoding.
    ///
    /// # Errors
    ///
    /// Fails if `d_model` is odd.
    fn new(config: PositionConfig) -> Result<Self>;

    /// Constructs the encoding for inputs on `device`.
    ///
    /// Without an implementation it calls [`new`](Self::new), which suffices on a processor. On a GPU, a tensor that is added to
    /// `x` has to be there too: implement this as well, or move the tensor in [`encode`](Self::encode).
    ///
    /// # Errors
    ///
    /// Fails if `d_model` is odd.
    fn on_device(config: PositionConfig, device: &Device) -> Result<Self> {
        let _ = device;
        Self::new(config)
    }

    /// Adds each position's encoding to the vector at that position.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`, `T ≤ max_len`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if `T` is greater than `max_len`, or the last axis of `x` is not `D`. This includes a width of
    /// 1, since broadcasting would add every channel's encoding to the same number.
    fn encode(&self, x: &Tensor) -> Result<Tensor>;
}

/// Learned positional encoding: one trainable row per position, added to the embedded tokens.
///
/// ```text
/// output[b, t] = x[b, t] + W[t]               t = 0, 1, …   [B, T, D]
/// ```
///
/// As in Devlin et al., *BERT* (2018), and Gehring et al., *Convolutional Sequence to Sequence
/// Learning* (2017).
///
/// # Parameters
///
/// | name | shape |
/// |---|---|
/// | `position_embedding.weight` | `[max_len, D]` |
///
/// # Edge cases
///
/// - A sequence longer than `max_len` is an error from [`encode`](Self::encode), not a panic.
/// - Gradients reach exactly the rows that were used: `0 .. T`.
///
/// # Examples
///
/// ```
/// # use attention_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// /// Right for one position only.
/// struct FirstOnly(Tensor);
///
/// impl LearnedPosition for FirstOnly {
///     fn new(config: PositionConfig, vb: VarBuilder<'_>) -> Result<Self> {
///         let shape = (config.max_len, config.d_model);
///         Ok(Self(vb.pp("position_embedding").get(shape, "weight")?.i(0)?))
///     }
///     fn encode(&self, x: &Tensor) -> Result<Tensor> {
///         x.broadcast_add(&self.0)
///     }
/// }
///
/// let config = PositionConfig { d_model: 2, max_len: 8 };
/// let position = FirstOnly::new(config, VarBuilder::zeros(DType::F32, &Device::Cpu))?;
/// let x = Tensor::ones((1, 1, 2), DType::F32, &Device::Cpu)?; // [B, T, D]
/// assert_eq!(position.encode(&x)?.dims3()?, (1, 1, 2));
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait LearnedPosition {
    /// Constructs the encoding, with its table from `vb`.
    ///
    /// # Errors
    ///
    /// Fails if the table is missing from `vb` or has another shape.
    fn new(config: PositionConfig, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Adds each position's row to the vector at that position.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`, `T ≤ max_len`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if `T` is greater than `max_len`, or the last axis of `x` is not `D`. This includes a width of
    /// 1, since broadcasting would add every channel's encoding to the same number.
    fn encode(&self, x: &Tensor) -> Result<Tensor>;
}
