//! All that a training is determined by, besides the model and the data.

use serde::Serialize;

use crate::optim::Rule;
use crate::schedule::Schedule;
use crate::train::error::TrainError;
use crate::train::limits::Limits;
use crate::train::stopping::Monitor;

/// How to train.
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
    /// How often all examples are gone through.
    pub epochs: usize,
    /// `B`, how many examples a step sees; the last step of an epoch sees what is left.
    pub batch_size: usize,
    /// Where sequences are cut off.
    pub max_len: usize,
    /// What turns gradients into steps.
    pub optimizer: Rule,
    /// `η`, before the schedule.
    pub learning_rate: f64,
    /// `λ`; what it does depends on the optimizer.
    pub weight_decay: f64,
    /// What the learning rate is multiplied by, step by step.
    pub schedule: Schedule,
    /// The largest norm that all gradients taken together may have.
    pub clip_norm: Option<f64>,
    /// `ε` of the loss in training; validation is always judged without.
    pub label_smoothing: f64,
    /// After how many epochs without a better validation training ends, and the best weights are
    /// put back; `None` trains to the end and keeps the last weights.
    pub patience: Option<usize>,
    /// What better means.
    pub monitor: Monitor,
    /// What shuffling and dropout are drawn from.
    pub seed: u64,
    /// What ends the training with an error.
    #[serde(skip)]
    pub limits: Limits,
}

impl Default for Recipe {
    /// Ten epochs of Adam at a constant 0.001, in batches of 32 and at most 128 tokens.
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
            seed: 0,
            limits: Limits::default(),
        }
    }
}

impl Recipe {
    /// How many steps it is, for so many examples, if nothing ends it early.
    pub fn steps(&self, examples: usize) -> u64 {
        (self.epochs * self.steps_an_epoch(examples)) as u64
    }

    /// How many steps an epoch is.
    pub fn steps_an_epoch(&self, examples: usize) -> usize {
        examples.div_ceil(self.batch_size.max(1))
    }

    /// Whether it can be followed; the first field that makes no sense is the error.
    ///
    /// # Errors
    ///
    /// [`TrainError::Recipe`], which names the field and what it may be.
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
