//! No residual connection around the network.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Base, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "second-residual-missing",
    task: "encoder-layer",
    summary: "what goes into the feed-forward network is not added to what comes out",
    page: "\
## What we saw

The second of the two sums is missing: what comes out is the network's output alone. Where the
network gives zeros, nothing of the tokens is left.

## Why it is wrong

The network looks at each token by itself and is meant to correct it. Where its output takes the
token's place, all that attention has gathered must pass through one narrow hidden layer or be
lost, in every layer anew. The road back to the first layers leads through every network as well,
and gets the fainter the deeper the stack is.

## Where to look

Count the additions in your `forward` and those in the formula: what should the network's output be
added to?
",
    imitations: &[|case| imitate(&Rules { bases: [Base::Stream, Base::Nothing], ..RIGHT }, case)],
    cuts: &[],
};
