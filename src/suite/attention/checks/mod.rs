//! The hidden checks, a file a task.

pub(super) mod classifier;
pub(super) mod learned_position;
pub(super) mod masked_pooling;
pub(super) mod multi_head;
pub(super) mod scaled_dot_product;
pub(super) mod sinusoidal_position;

use softmark_checks::Case;

use crate::check::Cotangents;
use crate::suite::attention::oracle::oracle;

/// Random weights for every output of a case.
pub(super) fn cotangents(case: &Case, seed: u64) -> Cotangents {
    crate::suite::cotangents::cotangents(case, oracle, seed)
}
