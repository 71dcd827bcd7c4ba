//! An encoder that does not learn of training.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tuned-layers-never-told",
    task: "partial",
    summary: "the encoder, its last layers included, is not told when the model learns",
    page: "\
## What we saw

The head drops numbers in training and only then. The encoder below drops nothing in either, not
even in the layers that are tuned.

## Why it is wrong

Freezing is about gradients, and dropout about numbers: both the layers that learn and those that
do not are meant to lose numbers in training. Layers that are tuned without it learn the few
examples by heart sooner, and frozen ones hand up exactly the same numbers in every epoch, which
the head then leans on.

## Where to look

Follow `train` from the signature of `forward`. Does it arrive at the encoder, or only at the
head?
",
    imitations: &[|case| imitate(&Rules { tells: Some(false), ..RIGHT }, case)],
    cuts: &[],
};
