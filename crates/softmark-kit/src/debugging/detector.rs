//! Tests that students write, to be held against bugs that they have never seen.

use candle_core::Result;

use crate::debugging::Suspect;

/// What a detector makes of a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing that it looks for is wrong with it.
    Healthy,
    /// It has a bug.
    Bug {
        /// What gives it away: "the output at real tokens moved when padding was replaced".
        reason: String,
    },
}

impl Verdict {
    /// A bug, and what gives it away.
    pub fn bug(reason: impl Into<String>) -> Self {
        Self::Bug { reason: reason.into() }
    }
}

/// A test of an encoder layer that its author has never seen.
///
/// # How it is graded
///
/// Each detector is put to a bank of layers that the grader keeps secret:
///
/// - **Right layers**, written in different ways, post-norm and pre-norm, with either activation. They
///   round differently, so that the same numbers come out of them only up to an error in `f32`. A
///   detector that calls one of them a bug counts for nothing.
/// - **Mutants**: layers with one bug. A mutant is caught by any detector that calls it a bug.
/// - **Decoys**: right layers among the mutants.
///
/// Each layer is asked about twice. Whoever does not say the same both times, panics, returns an error
/// or runs out of time has caught nothing there; with a right layer, that counts as calling it a bug.
///
/// # Examples
///
/// ```
/// use softmark_kit::debugging::{Detector, LayerParameters, Suspect, Verdict};
/// use softmark_kit::prelude::*;
///
/// /// Finds layers whose output is not a number.
/// struct NotANumber;
///
/// impl Detector for NotANumber {
///     fn name(&self) -> &'static str {
///         "not a number"
///     }
///
///     fn detect(&self, layer: &dyn Suspect) -> Result<Verdict> {
///         let config = layer.config();
///         let parameters = LayerParameters::random(config, 1)?;
///         let x = Tensor::ones((1, 3, config.d_model), DType::F32, &Device::Cpu)?;
///         let mask = Tensor::ones((1, 3), DType::U8, &Device::Cpu)?;
///         let output = layer.forward(&parameters, &x, &mask)?.output;
///         let numbers = output.flatten_all()?.to_vec1::<f32>()?;
///         Ok(if numbers.iter().any(|x| x.is_nan()) {
///             Verdict::bug("the output is not a number for ordinary input")
///         } else {
///             Verdict::Healthy
///         })
///     }
/// }
/// ```
pub trait Detector {
    /// What it looks for, in a few words: its row in the report.
    fn name(&self) -> &'static str;

    /// Experiments with `layer` and says what it makes of it.
    ///
    /// # Errors
    ///
    /// What `layer` returns; an error is no catch.
    fn detect(&self, layer: &dyn Suspect) -> Result<Verdict>;
}

/// The detectors that a submission hands in.
pub trait DetectorSet {
    /// All of them, at most [`MAX_DETECTORS`](crate::debugging::MAX_DETECTORS); those after are left out.
    fn all() -> Vec<Box<dyn Detector>>;
}
