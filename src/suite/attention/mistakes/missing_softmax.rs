//! Scores used as weights.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Rules, Softmax, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "missing-softmax",
    task: "scaled-dot-product",
    summary: "the scores themselves are used as weights, without a softmax",
    page: "\
## What we saw

What comes out as `weights` are the scaled dot products: some are negative, rows do not sum to
one, and the output is the values mixed with these. A hidden key gets 0, and so does a visible one
whose score happens to be 0: the two cannot be told apart.

## Why it is wrong

The softmax turns scores of any size into shares of a whole: none negative, all together one.
Without it the output grows with every key that is added and with the size of queries and keys,
and a score of 0, which says \"neither good nor bad\", means \"no influence\". It also leaves
attention without its only non-linearity: queries, keys and values are then merely multiplied with
one another.

## Where to look

Go through the formula of section 3.2.1 in Vaswani et al. 2017 from the inside out and count the
steps; then count them in your code, for the branch with a mask and for the one without. Add up
one row of your weights.
",
    imitations: &[|case| imitate(&Rules { softmax: Softmax::Missing, ..RIGHT }, case)],
    cuts: &[],
};
