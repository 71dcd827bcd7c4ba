//! What outputs are weighted with where gradients are asked for.

use softmark_checks::{Array, Case};
use softmark_common::rng::Stream;

use crate::check::{Cotangents, Oracle};

/// Random weights for every output of a case.
///
/// Not whole numbers of eighths as inputs are, so that no sum comes out even by chance.
pub(crate) fn cotangents(case: &Case, oracle: Oracle, seed: u64) -> Cotangents {
    let weights = |(name, output): (&'static str, Array)| {
        let mut stream = Stream::derive(seed, name, 77);
        (name, Array::from_fn(output.shape(), |_| f64::from(stream.uniform()) * 2.0 - 1.0))
    };
    oracle(case).into_iter().map(weights).collect()
}
