//! A search over learning rates and batch sizes.

use candle_core::Result;

/// One setting of what is searched over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Configuration {
    /// The step size of the optimizer.
    pub learning_rate: f64,
    /// Examples in a batch.
    pub batch_size: usize,
}

/// What a training came to, as shares of right answers; `NaN` where it diverged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scores {
    /// On the examples that it learned from.
    pub train_accuracy: f64,
    /// On examples that it never learned from: what models are chosen by.
    pub validation_accuracy: f64,
    /// On examples that are kept for the very end: what the chosen model is reported with.
    pub test_accuracy: f64,
}

/// A training that was carried out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// With which settings.
    pub configuration: Configuration,
    /// What it came to.
    pub scores: Scores,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchReport {
    /// Every training, in the order in which they were carried out.
    pub trials: Vec<Trial>,
    /// Which of them is the best, as a place in `trials`; `None` where none has a validation accuracy.
    pub best: Option<usize>,
}

/// What trains a model with the given settings.
pub type Trained<'a> = &'a mut dyn FnMut(Configuration) -> Result<Scores>;

/// Searches a grid of learning rates and batch sizes for the best model.
///
/// Every combination is trained exactly once, in this order: for the first learning rate all batch
/// sizes as they are given, then for the second all batch sizes, and so on. After `budget` trainings
/// the search ends, wherever it is; the report then holds those that were carried out.
///
/// The best trial is the one with the highest **validation** accuracy; of two that are equal, the one
/// that was carried out first. A validation accuracy of `NaN` never wins, not even where it stands
/// first. Accuracies on training and test examples play no part: the first rewards learning by heart,
/// and with the second a choice would be made on the examples that are to judge it.
///
/// # At the edges
///
/// - No learning rates, no batch sizes or a budget of 0: nothing is trained, and nothing is the best.
/// - Where every validation accuracy is `NaN`, nothing is the best.
/// - An error of `train` is passed on at once.
///
/// # Examples
///
/// `FirstOnly` is right for a budget of 1.
///
/// ```
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
    /// Trains every combination, within the budget, and says which was best.
    ///
    /// # Errors
    ///
    /// The first error of `train`.
    fn search(
        learning_rates: &[f64],
        batch_sizes: &[usize],
        budget: usize,
        train: Trained<'_>,
    ) -> Result<SearchReport>
    where
        Self: Sized;
}
