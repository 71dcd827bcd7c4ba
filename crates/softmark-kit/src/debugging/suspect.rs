//! A layer that may have a bug, and what can be found out about it.

use candle_core::{Result, Tensor};

use crate::debugging::LayerParameters;
use crate::encoder::EncoderConfig;

/// Experiments that a detector may make with one suspect; those after it are errors.
///
/// Four times what a careful detector needs: a suspect answers from another process, and a class is
/// waiting.
pub const MAX_EXPERIMENTS: usize = 64;

/// Tokens that all experiments of a detector with one suspect may have together, padding included:
/// `B · T`, summed up. An experiment that goes beyond is an error.
///
/// Twenty times what a careful detector needs, and room for [`MAX_EXPERIMENTS`] of two texts of four
/// tokens: what a detector computes costs its author, and what a suspect computes costs the grader.
pub const MAX_TOKENS: usize = 512;

/// Counts of the experiments that a detector has made with one suspect, and of their tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowance {
    experiments: usize,
    tokens: usize,
}

impl Allowance {
    /// Counts an experiment on an `x` of that shape.
    ///
    /// # Errors
    ///
    /// If that is more than a detector may make; says what it may.
    ///
    /// ```
    /// use softmark_kit::debugging::Allowance;
    ///
    /// let mut allowance = Allowance::default();
    /// assert!(allowance.count(&[2, 4, 8]).is_ok());
    /// // 8 · 16 tokens are a quarter of what is allowed.
    /// let made = (0..4).take_while(|_| allowance.count(&[8, 16, 8]).is_ok()).count();
    /// assert_eq!(made, 3);
    /// ```
    pub fn count(&mut self, shape: &[usize]) -> std::result::Result<(), String> {
        self.experiments += 1;
        if self.experiments > MAX_EXPERIMENTS {
            return Err(format!(
                "a detector may make {MAX_EXPERIMENTS} experiments with a layer, and no more"
            ));
        }
        // Without its width; whether there is one is for the layer to say.
        let texts = shape.split_last().map_or(&[][..], |(_, texts)| texts);
        let tokens = texts.iter().fold(1, |product: usize, size| product.saturating_mul(*size));
        self.tokens = self.tokens.saturating_add(tokens);
        if self.tokens > MAX_TOKENS {
            return Err(format!(
                "the experiments of a detector with a layer may have {MAX_TOKENS} tokens together, \
                 and no more"
            ));
        }
        Ok(())
    }
}

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
/// likes (up to [`MAX_EXPERIMENTS`] times, and on [`MAX_TOKENS`] tokens in all): whatever is true of every right layer can be put to the
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
