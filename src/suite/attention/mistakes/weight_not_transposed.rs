//! Weights used the other way round.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "weight-not-transposed",
    task: "multi-head",
    summary: "projections use their weights the other way round",
    page: "\
## What we saw

One or more of the projections take rows of their weight for columns. Since all four matrices are
square, the shapes fit. With symmetric weights, such as the identity that one likes to test with,
nothing is wrong.

## Why it is wrong

Weights are stored output-first: row `o` holds the factors that make output `o`. PyTorch, candle's
`Linear` and every checkpoint have it so, and the documentation of the trait says it below its
table. A matrix that is multiplied from the other side gives other sums: output `o` is then made
with column `o`. Trained from scratch this would do; with weights from elsewhere it is another
model. The error hides where a layer is square, and comes to light in the first one that is not.

## Where to look

Take `D = 2`, the weight `[[1, 2], [3, 4]]`, and the input `[1, 0]`. What should come out, with the
sentence \"row `o` makes output `o`\" in mind, and what comes out of your code? Then do the same
with `[0, 1]`.
",
    imitations: &[
        |case| imitate(&Rules { untransposed_weights: [true; 4], ..RIGHT }, case),
        |case| imitate(&Rules { untransposed_weights: [true, true, true, false], ..RIGHT }, case),
        |case| imitate(&Rules { untransposed_weights: [false, false, false, true], ..RIGHT }, case),
        |case| imitate(&Rules { untransposed_weights: [true, false, false, false], ..RIGHT }, case),
        |case| imitate(&Rules { untransposed_weights: [false, true, false, false], ..RIGHT }, case),
        |case| imitate(&Rules { untransposed_weights: [false, false, true, false], ..RIGHT }, case),
    ],
    cuts: &[],
};
