//! The tuning loop.

use std::collections::BTreeMap;

use candle_core::{Result, Tensor, Var};

/// Settings of tuning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TuningRecipe {
    /// Maximum number of epochs.
    pub epochs: usize,
    /// `η`, the largest learning rate.
    pub learning_rate: f64,
    /// Share of all steps that are warm-up, from 0 to 1.
    pub warm_up: f64,
    /// `λ` of `AdamW`.
    pub weight_decay: f64,
    /// Maximum global norm of the gradients of a step.
    pub clip_norm: f64,
    /// Number of consecutive epochs without a new best after which the loop ends; at least 1.
    pub patience: usize,
}

/// A model to be tuned, with its data.
pub trait TuningProblem {
    /// Returns every parameter of the model by name, including frozen ones.
    fn parameters(&self) -> &BTreeMap<String, Var>;

    /// Returns true if the parameter called `name` is trained.
    fn learns(&self, name: &str) -> bool;

    /// Returns the number of batches of an epoch.
    fn batches(&self) -> usize;

    /// Returns the loss of a batch, counted from 0, with its gradient history: a tensor without axes.
    ///
    /// # Errors
    ///
    /// Returns the error of the model.
    fn loss(&mut self, batch: usize) -> Result<Tensor>;

    /// Returns the validation loss with the current parameters.
    ///
    /// # Errors
    ///
    /// Returns the error of the model.
    fn validation_loss(&mut self) -> Result<f64>;
}

/// Result of the tuning loop.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningReport {
    /// Validation loss after each completed epoch.
    pub validation_losses: Vec<f64>,
    /// Epoch whose parameters were kept, counted from 0; `None` if there is none.
    pub best: Option<usize>,
}

/// Tunes the trained parameters, and keeps the best ones.
///
/// An epoch consists of one step for every batch, in order, followed by the validation loss. With
/// `S = epochs · batches` steps, numbered from 0 through all epochs, of which the first `W = ⌈warm_up · S⌉`
/// are warm-up, a step is
///
/// ```text
/// rate(s) = η · (s + 1) / W                 s < W
///           η · (S − s) / (S − W)           s ≥ W
///
/// norm    = √ Σ g²                          over the gradients of all that learns
/// g       ← g · min(1, clip_norm / (norm + 10⁻⁶))
/// p       ← AdamW(p, g) with rate(s) and λ
/// ```
///
/// as performed by [`optim::Optimizer`](crate::optim::Optimizer) with
/// [`Rule::ADAM_W`](crate::optim::Rule::ADAM_W): one optimizer, from the first step to the last. From Devlin
/// et al.,
/// *BERT* (2019), appendix A.2.
///
/// Frozen parameters may have gradients too, if the model does not detach them. A loop that passes them to
/// the optimizer changes them: by the gradient, or by weight decay alone if the gradient is zero. Here they
/// must stay unchanged, bit for bit, and their gradients are not part of the norm.
///
/// The best epoch is the one with the lowest validation loss; of equal ones, the first. `NaN` is never the
/// best. After `patience` consecutive epochs that were not a new best the loop ends. At the end the
/// parameters have their values after the best epoch or, if there is no best epoch, those before the first step.
///
/// # Examples
///
/// `Untouched` is correct if there is nothing to do.
///
/// ```
/// # use prefix_tuning_spec as softmark_kit;
/// use std::collections::BTreeMap;
///
/// use candle_core::Var;
/// use softmark_kit::prelude::*;
///
/// struct Untouched;
///
/// impl TuningLoop for Untouched {
///     fn tune(_: &mut dyn TuningProblem, _: &TuningRecipe) -> Result<TuningReport> {
///         Ok(TuningReport { validation_losses: Vec::new(), best: None })
///     }
/// }
///
/// struct Nothing(BTreeMap<String, Var>);
///
/// impl TuningProblem for Nothing {
///     fn parameters(&self) -> &BTreeMap<String, Var> {
///         &self.0
///     }
///     fn learns(&self, _: &str) -> bool {
///         false
///     }
///     fn batches(&self) -> usize {
///         0
///     }
///     fn loss(&mut self, batch: usize) -> Result<Tensor> {
///         candle_core::bail!("there is no batch {batch}")
///     }
///     fn validation_loss(&mut self) -> Result<f64> {
///         Ok(0.0)
///     }
/// }
///
/// let recipe = TuningRecipe {
///     epochs: 0,
///     learning_rate: 1e-3,
///     warm_up: 0.1,
///     weight_decay: 0.01,
///     clip_norm: 1.0,
///     patience: 3,
/// };
/// let report = Untouched::tune(&mut Nothing(BTreeMap::new()), &recipe)?;
/// assert_eq!(report.best, None);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait TuningLoop {
    /// Tunes `problem` with the settings of `recipe`.
    ///
    /// # Errors
    ///
    /// Returns the first error of the problem or the optimizer.
    fn tune(problem: &mut dyn TuningProblem, recipe: &TuningRecipe) -> Result<TuningReport>
    where
        Self: Sized;
}
