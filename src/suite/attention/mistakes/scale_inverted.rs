//! Scores multiplied where they should be divided.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "scale-inverted",
    task: "scaled-dot-product",
    summary: "the scale makes scores larger, not smaller",
    page: "\
## What we saw

The weights are too sharp: nearly everything goes to the key with the largest score, and the wider
the heads are, the more so. With `K = 1` nothing is wrong. The output is often close to a single
value.

## Why it is wrong

The factor is there to hold scores back, as dot products grow with the width of a head. Here it
makes them larger still: with `K = 64` they are 64 times what they should be. Then the softmax is
as good as a choice, and where one weight is 1 and the others are 0 there is hardly any slope:
what is learnt about where to look comes through gradients that have all but vanished. Section
3.2.1 of Vaswani et al. 2017 says why they scale.

## Where to look

With `K = 4`, how large should a score be whose dot product is 8? And how large is it in your
code? Look at what your constant is, and with which operation it meets the scores.
",
    imitations: &[|case| imitate(&Rules { scale: f64::sqrt, ..RIGHT }, case)],
    cuts: &[],
};
