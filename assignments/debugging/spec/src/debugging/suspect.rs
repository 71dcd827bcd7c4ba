//! Suspects: layers that may have a bug, and experiments with them.

use candle_core::{Result, Tensor};

use crate::debugging::LayerParameters;
use crate::encoder::EncoderConfig;

/// Result of one experiment.
#[derive(Debug, Clone)]
pub struct Observed {
    /// Output of the layer, `[B, T, D]`.
    pub output: Tensor,
    /// Attention weights, `[B, H, T, T]`, as seen by a hook on the layer's `self_attn`.
    pub weights: Tensor,
}

/// An [`EncoderLayer`](crate::encoder::EncoderLayer) that may have a bug and can be experimented with.
///
/// The layer's code is hidden. A detector can run it with any parameters on any input, up to
/// [`MAX_EXPERIMENTS`](crate::debugging::MAX_EXPERIMENTS) times and on
/// [`MAX_TOKENS`](crate::debugging::MAX_TOKENS) tokens in all: a property of every correct layer can be
/// tested, and a violation shows a bug.
///
/// A suspect has no state: the same experiment has the same result, bit for bit. It is never in training
/// mode, so there is no dropout.
///
/// ```
/// # use debugging_spec as softmark_kit;
/// use softmark_kit::debugging::{LayerParameters, Suspect};
/// use softmark_kit::prelude::*;
///
/// /// Whether two texts of a batch come out the same when they are the same.
/// fn treats_texts_alike(layer: &dyn Suspect) -> Result<bool> {
///     let config = layer.config();
///     let parameters = LayerParameters::random(config, 1)?;
///     let text = softmark_kit::init::drawn(
///         1,
///         "text",
///         candle_nn::Init::Randn { mean: 0.0, stdev: 1.0 },
///         &(1, 3, config.d_model).into(),
///     )?;
///     let x = Tensor::cat(&[&text, &text], 0)?; // [2, 3, D]
///     let mask = Tensor::ones((2, 3), DType::U8, &Device::Cpu)?;
///     let seen = layer.forward(&parameters, &x, &mask)?;
///     let rows = |n: usize| seen.output.get(n)?.flatten_all()?.to_vec1::<f32>();
///     Ok(rows(0)? == rows(1)?)
/// }
/// ```
pub trait Suspect {
    /// Returns the sizes and switches of the layer. `vocabulary`, `max_len` and `layers` have no meaning here.
    fn config(&self) -> EncoderConfig;

    /// Runs a layer with these parameters.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`; `D` is that of the config, `B` up to 8 and `T` up to 16
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    ///
    /// # Errors
    ///
    /// Fails if the shapes do not match, if there were too many experiments or tokens, or if the layer fails.
    fn forward(&self, parameters: &LayerParameters, x: &Tensor, mask: &Tensor) -> Result<Observed>;
}
