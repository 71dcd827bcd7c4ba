//! An activation after the second map.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, Stands, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "activation-after-output",
    task: "feed-forward",
    summary: "an activation stands after the second linear map",
    page: "\
## What we saw

What comes out is never negative with ReLU, and hardly ever with GELU, though the second map has
weights of both signs. Where the output should be below zero there is nothing.

## Why it is wrong

The network's output is added to a stream that passes by. If it can only ever raise numbers, the
stream drifts upwards, layer by layer, and half of the directions in which a layer could move a
token are closed to it. The first map's numbers, on the other hand, need something between them and
the second map, or the two are one.

## Where to look

Between which two steps of the formula does the activation stand? Write down which shape the
numbers have at that moment, and which shape yours have when it is applied.
",
    imitations: &[
        |case| imitate(&Rules { stands: Stands::After, ..RIGHT }, case),
        |case| imitate(&Rules { stands: Stands::Both, ..RIGHT }, case),
    ],
    cuts: &[],
};
