//! Tolerance of gradients.

use softmark_common::compare::Tolerance;

/// Numbers of a case are at most about as large.
const LARGEST: f64 = 4.0;

/// Tolerance of the gradients of a network, from that of its outputs.
///
/// The way back passes the same maps as the way there, and the gradient of a weight is a sum over all `positions`
/// of what arrives there times a number of the case.
pub(crate) fn gradient_tolerance(forward: Tolerance, positions: usize) -> Tolerance {
    Tolerance { absolute: forward.absolute * LARGEST * positions as f64, ..forward }
}
