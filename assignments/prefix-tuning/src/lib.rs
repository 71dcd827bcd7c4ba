//! The `prefix-tuning` assignment: which type is which task. Provided; leave it as it is.

pub mod checkpoint;
pub mod partial;
pub mod prefix;
pub mod steps;

use softmark_kit::TuningAssignment;

/// What the checks are run on.
#[derive(Debug)]
pub struct Submission;

impl TuningAssignment for Submission {
    type Prefix = prefix::PrefixClassifier;
    type Partial = partial::PartialClassifier;
    type Loop = steps::Steps;
    type Checkpoint = checkpoint::Checkpoint;
}
