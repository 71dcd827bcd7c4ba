//! The probability of dropping is taken for that of staying.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sublayer-dropout-inverted",
    task: "encoder-layer",
    summary: "what a sublayer gives is kept with the probability of dropout, and dropped otherwise",
    page: "\
## What we saw

In training, the outputs of the two sublayers are dropped far too often or far too seldom, and
those that stay are multiplied by the wrong factor. With a probability of one half all seems well.

## Why it is wrong

A probability of dropping and a probability of keeping add up to one, and each is somebody's
convention: papers often write the second, PyTorch and the configuration here have the first. With
0.1, nine numbers of ten are lost instead of one, and little can be learned from the rest. A
probability of zero, which should change nothing, even becomes an error.

## Where to look

What does your dropout do with a probability of 0.1, and what with 0.9? Which of the two does the
configuration speak of, and what is handed to the constructor?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
