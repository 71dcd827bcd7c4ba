//! Cotangents: the weights of outputs in questions about gradients.

use softmark_checks::{Array, Case};
use softmark_common::rng::Stream;

use crate::check::{Cotangents, Oracle};
use crate::memo::memoized;

/// Returns random weights for every output of a case.
///
/// Unlike inputs, they are not multiples of 1/8, so that no sum cancels by chance.
pub fn cotangents(case: &Case, oracle: Oracle, seed: u64) -> Cotangents {
    let weights = |(name, output): (&'static str, Array)| {
        let mut stream = Stream::derive(seed, name, 77);
        (name, Array::from_fn(output.shape(), |_| f64::from(stream.uniform()) * 2.0 - 1.0))
    };
    let outputs = memoized(&[case, &(oracle as usize)], || oracle(case));
    outputs.into_iter().map(weights).collect()
}
