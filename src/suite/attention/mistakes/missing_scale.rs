//! Scores that are not scaled.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "missing-scale",
    task: "scaled-dot-product",
    summary: "scores are not scaled by the width of a head",
    page: "\
## What we saw

The weights are those of `softmax(query · keyᵀ)`: the scores go into the softmax as large as the
dot products make them. With `K = 1` nothing is wrong; the wider the heads, the further the weights
are off, always towards the key that already had the most.

## Why it is wrong

A dot product of `K` terms grows with `K`. Without something to hold it back, wide heads give scores
so far apart that the softmax puts nearly all weight on one key, and hardly any gradient is left for
the others: the layer trains slowly or not at all, and worse the wider it is. The paper says so in
section 3.2.1, and in a footnote why.

## Where to look

The line that makes the scores, and the formula in the documentation of `ScaledDotProductAttention`:
hold the one against the other, factor by factor. Try it by hand with `K = 4`.
",
    imitations: &[|case| imitate(&Rules { scale: |_| 1.0, ..RIGHT }, case)],
    cuts: &[],
};
