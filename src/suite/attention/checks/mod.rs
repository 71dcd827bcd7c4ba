//! The hidden checks, a file a task.

pub(super) mod learned_position;
pub(super) mod masked_pooling;
pub(super) mod multi_head;
pub(super) mod scaled_dot_product;
pub(super) mod sinusoidal_position;

use softmark_checks::{Array, Case};
use softmark_kit::rng::Stream;

use crate::check::Cotangents;
use crate::suite::attention::oracle::oracle;

/// Random weights for every output of a case.
///
/// Not whole numbers of eighths as inputs are, so that no sum comes out even by chance.
pub(super) fn cotangents(case: &Case, seed: u64) -> Cotangents {
    let weights = |(name, output): (&'static str, Array)| {
        let mut stream = Stream::derive(seed, name, 77);
        (name, Array::from_fn(output.shape(), |_| f64::from(stream.uniform()) * 2.0 - 1.0))
    };
    oracle(case).into_iter().map(weights).collect()
}
