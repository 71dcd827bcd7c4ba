//! Task 6: a search over learning rates and batch sizes.
//!
//! The specification is the documentation of [`GridSearch`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Trains every combination.
pub struct Grid;

impl GridSearch for Grid {
    fn search(
        learning_rates: &[f64],
        batch_sizes: &[usize],
        budget: usize,
        train: Trained<'_>,
    ) -> Result<SearchReport> {
        todo!("task 6: the search")
    }
}
