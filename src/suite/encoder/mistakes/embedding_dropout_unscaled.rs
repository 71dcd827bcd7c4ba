//! Embeddings that dropout leaves and nobody scales.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping};
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "embedding-dropout-unscaled",
    task: "encoder",
    summary: "embedded numbers that dropout leaves are not scaled up",
    page: "\
## What we saw

In training, embedded numbers are dropped as they should be, and those that stay are what they were.
On the whole less arrives at the first layer in training than outside of it.

## Why it is wrong

With a probability of one half, half of the sum is missing, and the layers learn to work with that.
Outside of training the whole sum arrives, twice as much as they have ever seen. Dividing by the
share that stays keeps the expected sum the same in both, and nothing has to be changed when
training ends.

## Where to look

What is the mean of the embedded numbers over many draws, in training and outside? Which factor is
missing?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { scales: false, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
