//! Settings of a training: everything that determines it, besides the model and the data.

use serde::Serialize;

use crate::optim::Rule;
use crate::schedule::Schedule;
use crate::train::error::TrainError;
use crate::train::limits::Limits;
use crate::train::stopping::Monitor;

/// Settings of a training.
///
/// ```
/// use softmark_kit::optim::Rule;
/// use softmark_kit::schedule::Schedule;
/// use softmark_kit::train::Recipe;
///
/// let recipe = Recipe {
///     epochs: 20,
///     optimizer: Rule::ADAM_W,
///     weight_decay: 0.01,
///     schedule: Schedule::linear(0.1),
///     patience: Some(3),
///     ..Recipe::default()
/// };
/// assert_eq!((recipe.batch_size, recipe.max_len), (32, 128));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recipe {
    /// Number of passes over the examples.
    pub epochs: usize,
    /// `B`, the number of examples per step; the last step of an epoch has the remaining ones.
    pub batch_size: usize,
    /// Maximum length of sequences; longer ones are cut off.
    pub max_len: usize,
    /// Update rule of the optimizer.
    pub optimizer: Rule,
    /// `η`, the learning rate before the schedule is applied.
    pub learning_rate: f64,
    /// `λ`, the weight decay; its effect depends on the optimizer.
    pub weight_decay: f64,
    /// Factors of the learning rate, step by step.
    pub schedule: Schedule,
    /// Maximum global norm of the gradients; `None` for no clipping.
    pub clip_norm: Option<f64>,
    /// `ε` of label smoothing in training; validation has none.
    pub label_smoothing: f64,
    /// Number of epochs without a better validation after which training ends and the best weights are
    /// restored; `None` trains all epochs and keeps the last weights.
    pub patience: Option<usize>,
    /// Criterion by which epochs are compared.
    pub monitor: Monitor,
    /// Mean training loss of an epoch below which training ends; `None` trains all epochs.
    pub stopping_threshold: Option<f64>,
    /// Seed of shuffling and dropout.
    pub seed: u64,
    /// Resource limits that end the training with an error.
    #[serde(skip)]
    pub limits: Limits,
}

impl Default for Recipe {
    /// Returns ten epochs of Adam at a constant learning rate of 0.001, with batches of 32 and at most 128 tokens.
    fn default() -> Self {
        Self {
            epochs: 10,
            batch_size: 32,
            max_len: 128,
            optimizer: Rule::ADAM,
            learning_rate: 1e-3,
            weight_decay: 0.0,
            schedule: Schedule::CONSTANT,
            clip_norm: None,
            label_smoothing: 0.0,
            patience: None,
            monitor: Monitor::Accuracy,
            stopping_threshold: None,
            seed: 0,
            limits: Limits::default(),
        }
    }
}

impl Recipe {
    /// Returns the number of steps for `examples` examples, if the training does not end early.
    pub fn steps(&self, examples: usize) -> u64 {
        (self.epochs * self.steps_an_epoch(examples)) as u64
    }

    /// Returns the number of steps of an epoch.
    pub fn steps_an_epoch(&self, examples: usize) -> usize {
        examples.div_ceil(self.batch_size.max(1))
    }

    /// Checks that all fields are valid.
    ///
    /// # Errors
    ///
    /// Fails with [`TrainError::Recipe`] for the first invalid field; it names the field and its allowed values.
    pub fn check(&self) -> Result<(), TrainError> {
        let wrong = |field, value: f64, allowed| {
            Err(TrainError::Recipe { field, value: value.to_string(), allowed })
        };
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let share = |x: f64| (0.0..1.0).contains(&x);
        if self.batch_size == 0 {
            return wrong("batch_size", 0.0, "at least 1");
        }
        if self.max_len == 0 {
            return wrong("max_len", 0.0, "at least 1");
        }
        if !positive(self.learning_rate) {
            return wrong("learning_rate", self.learning_rate, "a number above 0");
        }
        if !(self.weight_decay.is_finite() && self.weight_decay >= 0.0) {
            return wrong("weight_decay", self.weight_decay, "0 or above");
        }
        if !share(self.label_smoothing) {
            return wrong("label_smoothing", self.label_smoothing, "from 0 to below 1");
        }
        if !(0.0..=1.0).contains(&self.schedule.warm_up) {
            return wrong("schedule.warm_up", self.schedule.warm_up, "a share from 0 to 1");
        }
        if let Some(norm) = self.clip_norm.filter(|&norm| !positive(norm)) {
            return wrong("clip_norm", norm, "a number above 0, or none");
        }
        if let Some(loss) = self.stopping_threshold.filter(|&loss| !positive(loss)) {
            return wrong("stopping_threshold", loss, "a number above 0, or none");
        }
        let below_1 = [
            ("optimizer.momentum", self.optimizer.momentum()),
            ("optimizer.beta1", self.optimizer.betas().0),
            ("optimizer.beta2", self.optimizer.betas().1),
        ];
        if let Some((field, value)) = below_1.into_iter().find(|(_, value)| !share(*value)) {
            return wrong(field, value, "from 0 to below 1");
        }
        match self.optimizer {
            Rule::Adam { epsilon, .. } | Rule::AdamW { epsilon, .. } if !positive(epsilon) => {
                wrong("optimizer.epsilon", epsilon, "a number above 0")
            }
            Rule::Sgd { .. } | Rule::Adam { .. } | Rule::AdamW { .. } => Ok(()),
        }
    }
}
