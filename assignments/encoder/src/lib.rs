//! The `encoder` assignment: which type is which task. Provided; leave it as it is.

pub mod attention;
pub mod classifier;
pub mod encoder;
pub mod feed_forward;
pub mod glove;
pub mod layer;
pub mod search;

use softmark_kit::EncoderAssignment;

/// What the checks are run on.
#[derive(Debug)]
pub struct Submission;

impl EncoderAssignment for Submission {
    type Attention = attention::MaskedSelfAttention;
    type FeedForward = feed_forward::TwoLinear;
    type Layer = layer::Layer;
    type Encoder = encoder::Stack;
    type Classifier = classifier::Classifier;
    type Glove = glove::Glove;
    type Search = search::Grid;
}
