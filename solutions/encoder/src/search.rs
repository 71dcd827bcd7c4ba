//! Task 6: a search over learning rates and batch sizes.

use softmark_kit::prelude::*;

/// Trains every combination.
#[derive(Debug)]
pub struct Grid;

/// The first of the trials with the highest validation accuracy.
fn best(trials: &[Trial]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (at, trial) in trials.iter().enumerate() {
        let accuracy = trial.scores.validation_accuracy;
        if !accuracy.is_nan() && best.is_none_or(|(_, highest)| accuracy > highest) {
            best = Some((at, accuracy));
        }
    }
    best.map(|(at, _)| at)
}

impl GridSearch for Grid {
    fn search(
        learning_rates: &[f64],
        batch_sizes: &[usize],
        budget: usize,
        train: Trained<'_>,
    ) -> Result<SearchReport> {
        let mut trials = Vec::new();
        for &learning_rate in learning_rates {
            for &batch_size in batch_sizes {
                if trials.len() == budget {
                    break;
                }
                let configuration = Configuration { learning_rate, batch_size };
                trials.push(Trial { configuration, scores: train(configuration)? });
            }
        }
        Ok(SearchReport { best: best(&trials), trials })
    }
}
