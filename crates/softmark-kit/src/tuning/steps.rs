//! The loop that tunes.

use std::collections::BTreeMap;

use candle_core::{Result, Tensor, Var};

/// How a model is tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TuningRecipe {
    /// Times that every batch is seen, at most.
    pub epochs: usize,
    /// `η`, the learning rate at its highest.
    pub learning_rate: f64,
    /// The share of all steps that are warm-up, from 0 to 1.
    pub warm_up: f64,
    /// `λ` of `AdamW`.
    pub weight_decay: f64,
    /// The largest norm that the gradients of a step may have together.
    pub clip_norm: f64,
    /// Epochs in a row without a new best, after which there is no other; at least 1.
    pub patience: usize,
}

/// A model that is to be tuned, and what it is tuned on.
pub trait TuningProblem {
    /// Every parameter of the model by name, the frozen ones too.
    fn parameters(&self) -> &BTreeMap<String, Var>;

    /// Whether the parameter of that name learns.
    fn learns(&self, name: &str) -> bool;

    /// Batches of an epoch.
    fn batches(&self) -> usize;

    /// The loss of a batch, counted from 0, with its history: a tensor without axes.
    ///
    /// # Errors
    ///
    /// What the model returns.
    fn loss(&mut self, batch: usize) -> Result<Tensor>;

    /// The loss of what is kept for validation, with the parameters as they are.
    ///
    /// # Errors
    ///
    /// What the model returns.
    fn validation_loss(&mut self) -> Result<f64>;
}

/// What came of the loop.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningReport {
    /// The validation loss after each epoch that was carried out.
    pub validation_losses: Vec<f64>,
    /// The epoch whose parameters were kept, counted from 0; `None` where none is.
    pub best: Option<usize>,
}

/// Tunes what is to learn, and keeps the best.
///
/// An epoch is every batch once, in order, a step each, and then a look at the validation loss. With
/// `S = epochs · batches` steps, numbered from 0 through all epochs, of which the first
/// `W = ⌈warm_up · S⌉` are warm-up, a step is
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
/// as [`optim::Optimizer`](crate::optim::Optimizer) with
/// [`Rule::ADAM_W`](crate::optim::Rule::ADAM_W) does it: one optimizer, from the first step to the last.
/// From Devlin et al., *BERT* (2019), appendix A.2.
///
/// What does not learn has gradients too where the model was not made to cut them, and a loop that hands
/// them to the optimizer changes it: by the gradient, or by the weight decay alone where the
/// gradient is zero. Here it stays as it was, bit for bit, and its gradients are no part of the norm.
///
/// The best epoch is the one with the lowest validation loss; of two that are equal, the first. `NaN`
/// is never the best. After `patience` epochs in a row that were not a new best the loop ends, whatever
/// is left. At its end the parameters are what they were after the best epoch; where no epoch was, what
/// they were before the first step.
///
/// # Examples
///
/// `Untouched` is right where there is nothing to do.
///
/// ```
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
    /// Tunes `problem` by `recipe`.
    ///
    /// # Errors
    ///
    /// The first error of the problem or the optimizer.
    fn tune(problem: &mut dyn TuningProblem, recipe: &TuningRecipe) -> Result<TuningReport>
    where
        Self: Sized;
}
