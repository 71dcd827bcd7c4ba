//! The way back ends at the hidden numbers.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hidden-detached",
    task: "feed-forward",
    summary: "no gradient passes the hidden numbers of the network",
    page: "\
## What we saw

Every number that comes out is right. Gradients arrive at the second map and at nothing before it:
neither at the first map nor at the input.

## Why it is wrong

The first map then keeps the random numbers that it started with, and so does everything below the
network, as far as it has no other way. Training still improves something, since the second map
learns, and no error says that the rest stands still. In candle a tensor loses its history by
`detach` and by being rebuilt from plain numbers.

## Where to look

Go backwards from the output, one operation at a time, and ask of each whether candle knows how to
undo it. Which is the last tensor that still has a gradient?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| to == "x" || to.starts_with("linear1.")],
};
