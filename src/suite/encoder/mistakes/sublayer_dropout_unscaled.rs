//! What stays is not scaled.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sublayer-dropout-unscaled",
    task: "encoder-layer",
    summary: "what the layer's dropout leaves is not scaled up",
    page: "\
## What we saw

In training, what the sublayers give is dropped as it should be, and what stays is added as it was.
On the whole less is added in training than outside of it.

## Why it is wrong

With a probability p, a share of p is missing from what is added, and the rest of the model learns
to live with that. Outside of training everything is there, more than it has ever seen, in every
layer. Dividing what stays by the share that stays keeps the expected sum the same, so that nothing
has to change when training ends.

## Where to look

What is the mean of what you add over many draws, in training and outside? Which factor is missing?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { scales: false, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
