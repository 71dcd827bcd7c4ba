//! The encoder never trains.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-never-told",
    task: "prefix",
    summary: "the encoder is not told when the model learns",
    page: "\
## What we saw

In training with a high probability of dropout, the logits are exactly those outside of training.
The encoder drops nothing.

## Why it is wrong

The thought behind it is near at hand: the encoder is frozen, so why should it be told of
training? But freezing is about gradients, and dropout about numbers. A prefix that always meets
the same encoder, without a number missing, leans on accidents of single channels, and where there
are few texts to learn from it learns them by heart. The config has the probabilities, and
somebody has to say when they count.

## Where to look

Follow `train` from the signature of `forward`. Does it arrive anywhere?
",
    imitations: &[|case| imitate(&Rules { tells: Some(false), ..RIGHT }, case)],
    cuts: &[],
};
