//! Tolerance of gradients.

use softmark_common::compare::Tolerance;

/// Approximate bound on the magnitude of the numbers of a case.
const LARGEST: f64 = 4.0;

/// Returns the tolerance of a network's gradients, given that of its outputs.
///
/// The backward pass goes through the same maps as the forward pass, and the gradient of a weight
/// is a sum over all `positions` of the incoming gradient times a number of the case.
pub fn gradient_tolerance(forward: Tolerance, positions: usize) -> Tolerance {
    Tolerance { absolute: forward.absolute * LARGEST * positions as f64, ..forward }
}
