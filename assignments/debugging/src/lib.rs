//! The `debugging` assignment: which type is which task. Provided; leave it as it is.

pub mod attention;
pub mod buggy;
pub mod capture;
pub mod classifier;
pub mod detectors;
pub mod encoder;
pub mod feed_forward;
pub mod layer;
pub mod statistics;

use softmark_kit::DebuggingAssignment;

/// What the checks are run on.
#[derive(Debug)]
pub struct Submission;

impl DebuggingAssignment for Submission {
    type Attention = attention::WatchedSelfAttention;
    type FeedForward = feed_forward::TwoLinear;
    type Buggy = buggy::BuggyLayer;
    type Encoder = encoder::Stack;
    type Classifier = classifier::Classifier;
    type Capture = capture::Capture;
    type Statistics = statistics::Statistics;
    type Repaired = layer::Layer;
    type Detectors = detectors::Detectors;
}
