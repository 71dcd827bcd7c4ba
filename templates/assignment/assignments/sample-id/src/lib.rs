//! The assignment: which type is which task. Provided; leave it as it is.

pub mod residual;

use softmark_kit::Assignment;

/// The type that the checks are run on.
#[derive(Debug)]
pub struct Submission;

impl Assignment for Submission {
    type Residual = residual::Scaled;
}
