//! A search over learning rates and batch sizes.

use candle_core::Result;

/// A setting of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Configuration {
    /// Learning rate of the optimizer.
    pub learning_rate: f64,
    /// Number of examples in a batch.
    pub batch_size: usize,
}

/// Accuracies of a training, as shares of correct predictions; `NaN` if it diverged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scores {
    /// Accuracy on the training examples.
    pub train_accuracy: f64,
    /// Accuracy on the validation examples, by which models are chosen.
    pub validation_accuracy: f64,
    /// Accuracy on the test examples, which is reported for the chosen model.
    pub test_accuracy: f64,
}

/// A completed training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Settings of the training.
    pub configuration: Configuration,
    /// Accuracies of the training.
    pub scores: Scores,
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchReport {
    /// Every training, in the order in which they ran.
    pub trials: Vec<Trial>,
    /// Index of the best trial in `trials`; `None` if no trial has a validation accuracy.
    pub best: Option<usize>,
}

/// Trains a model with the given settings and returns its accuracies.
pub type Trained<'a> = &'a mut dyn FnMut(Configuration) -> Result<Scores>;

/// Searches a grid of learning rates and batch sizes for the best model.
///
/// Every combination is trained exactly once, in this order: for the first learning rate all batch sizes in
/// the given order, then for the second learning rate all batch sizes, and so on. After `budget` trainings
/// the search ends; the report then contains the completed trainings.
///
/// The best trial is the one with the highest **validation** accuracy; of equal ones, the first. A validation
/// accuracy of `NaN` never wins, even in the first trial. Training and test accuracies are not used: the
/// former rewards memorizing, and the latter would choose a model on the examples that must judge it.
///
/// # Edge cases
///
/// - Without learning rates or batch sizes, or with a budget of 0, nothing is trained and there is no best trial.
/// - If every validation accuracy is `NaN`, there is no best trial.
/// - An error of `train` is returned at once.
///
/// # Examples
///
/// `FirstOnly` is correct for a budget of 1.
///
/// ```
/// # use encoder_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// struct FirstOnly;
///
/// impl GridSearch for FirstOnly {
///     fn search(
///         learning_rates: &[f64],
///         batch_sizes: &[usize],
///         _budget: usize,
///         train: Trained<'_>,
///     ) -> Result<SearchReport> {
///         let configuration =
///             Configuration { learning_rate: learning_rates[0], batch_size: batch_sizes[0] };
///         let trials = vec![Trial { configuration, scores: train(configuration)? }];
///         Ok(SearchReport { trials, best: Some(0) })
///     }
/// }
///
/// let mut train = |_: Configuration| {
///     Ok(Scores { train_accuracy: 0.9, validation_accuracy: 0.8, test_accuracy: 0.7 })
/// };
/// let report = FirstOnly::search(&[1e-3, 1e-4], &[16, 32], 1, &mut train)?;
/// assert_eq!(report.best, Some(0));
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait GridSearch {
    /// Trains every combination within the budget and returns the trials and the best one.
    ///
    /// # Errors
    ///
    /// Returns the first error of `train`.
    fn search(
        learning_rates: &[f64],
        batch_sizes: &[usize],
        budget: usize,
        train: Trained<'_>,
    ) -> Result<SearchReport>
    where
        Self: Sized;
}
