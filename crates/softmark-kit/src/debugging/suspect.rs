//! A layer that may have a bug, and what can be found out about it.

use candle_core::{Result, Tensor};

use crate::debugging::LayerParameters;
use crate::encoder::EncoderConfig;

/// What came of one experiment.
#[derive(Debug, Clone)]
pub struct Observed {
    /// What the layer returned, `[B, T, D]`.
    pub output: Tensor,
    /// The attention weights, `[B, H, T, T]`, as a hook on its `self_attn` sees them.
    pub weights: Tensor,
}

/// An [`EncoderLayer`](crate::encoder::EncoderLayer) that may have a bug, under experiments.
///
/// Nobody can look inside. But it can be run with any parameters on any input, as often as a detector
/// likes (up to [`MAX_EXPERIMENTS`](crate::debugging::MAX_EXPERIMENTS) times, and on [`MAX_TOKENS`](crate::debugging::MAX_TOKENS) tokens in all): whatever is true of every right layer can be put to the
/// test, and whatever is not tells a bug.
///
/// A suspect has no state. The same experiment has the same outcome, to the bit; it never is in
/// training, so nothing is dropped.
///
/// ```
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
    /// The sizes and switches that the layer was made with. `vocabulary`, `max_len` and `layers` say
    /// nothing here.
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
    /// When the shapes do not fit, when there were too many experiments or tokens, and what the layer returns.
    fn forward(&self, parameters: &LayerParameters, x: &Tensor, mask: &Tensor) -> Result<Observed>;
}
