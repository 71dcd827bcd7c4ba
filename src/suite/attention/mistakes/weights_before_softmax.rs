//! Scores returned as weights.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Returned, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "weights-before-softmax",
    task: "scaled-dot-product",
    summary: "the weights returned are the scores before the softmax",
    page: "\
## What we saw

The output is right. What is returned as `weights` are the scores from which the weights are made:
some are negative, rows do not sum to one, and hidden keys have a huge negative number, or a
number as if they were not hidden.

## Why it is wrong

The output's users do not notice. But the weights are there to be looked at: heat maps, the
comparison of heads, and the search for errors in the third assignment all take them for shares of
a whole. A score of 2 says nothing by itself; only beside the other scores of its row does it come
to a share. And a heat map with a number like −3 · 10³⁸ in it has one colour.

## Where to look

Two tensors of your function have the shape `[B, H, Tq, Tk]`, perhaps under the same name. Which
one goes into the product with the values, and which one into the result? Add up a row of what you
return.
",
    imitations: &[
        |case| imitate(&Rules { returned: Returned::MaskedScores, ..RIGHT }, case),
        |case| imitate(&Rules { returned: Returned::Scores, ..RIGHT }, case),
    ],
    cuts: &[],
};
