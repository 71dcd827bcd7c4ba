//! Dropout outside of training.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping, When};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sublayer-dropout-always",
    task: "encoder-layer",
    summary: "the layer drops numbers outside of training as well",
    page: "\
## What we saw

With `train` false and a probability above zero, parts of what the sublayers give are still
missing.

## Why it is wrong

Outside of training a model should do its best, and with everything that it has. Dropout then only
takes away: accuracies come out lower than they are, the same text gets another answer from one
moment to the next, and early stopping follows the luck of the draw. It comes of handing a constant
to dropout where the caller's `train` belongs.

## Where to look

What is handed to each dropout as its second argument? Is it what came in?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { when: When::Always, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
