//! Detectors: tests written by students, run on layers with unknown bugs.

use candle_core::Result;

use crate::debugging::Suspect;

/// Verdict of a detector on a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The detector found no bug.
    Healthy,
    /// The detector found a bug.
    Bug {
        /// Evidence for the bug, such as "the output at real tokens moved when padding was replaced".
        reason: String,
    },
}

impl Verdict {
    /// Returns the verdict that there is a bug, with its evidence.
    pub fn bug(reason: impl Into<String>) -> Self {
        Self::Bug { reason: reason.into() }
    }
}

/// A test of an encoder layer that its author has never seen.
///
/// # How it is graded
///
/// Each detector is run on a set of layers that the grader keeps secret:
///
/// - **Correct layers**, written in different ways, post-norm and pre-norm, with either activation. Their
///   roundings differ, so their results agree only up to an error in `f32`. A detector that reports a bug in
///   one of them earns nothing.
/// - **Mutants**: layers with one bug. A mutant is caught if any detector reports a bug.
/// - **Decoys**: correct layers among the mutants.
///
/// Each layer is tested twice. A detector that gives different verdicts, panics, returns an error or runs out
/// of time has not caught the layer; for a correct layer this counts as reporting a bug.
///
/// # Examples
///
/// ```
/// # use debugging_spec as softmark_kit;
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
    /// Returns a short description of the kind of bug, shown in the report.
    fn name(&self) -> &'static str;

    /// Experiments with `layer` and returns a verdict.
    ///
    /// # Errors
    ///
    /// Returns the error of `layer`; an error does not count as a detection.
    fn detect(&self, layer: &dyn Suspect) -> Result<Verdict>;
}

/// The detectors of a submission.
pub trait DetectorSet {
    /// Returns all detectors, at most [`MAX_DETECTORS`](crate::debugging::MAX_DETECTORS); of more, only the first so
    /// many are run.
    fn all() -> Vec<Box<dyn Detector>>;
}
