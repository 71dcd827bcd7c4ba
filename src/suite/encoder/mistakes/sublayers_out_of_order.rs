//! The sublayers in another order.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Order, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sublayers-out-of-order",
    task: "encoder-layer",
    summary: "the sublayers do not come one after the other, attention first",
    page: "\
## What we saw

Each sublayer has its norm and its sum, but the network comes first, or both work on the layer's
input side by side, or one of them is not there.

## Why it is wrong

The attention gathers what other tokens know, and the network then works on what was gathered; in
the other order, or side by side, it works on less. Models of both kinds exist under other names
and are not bad, but this is not one of them: weights, recipes and results are not exchangeable.

## Where to look

Write down for each sublayer which tensor goes into it. What should the network see: the layer's
input, or what the attention's sum made of it?
",
    imitations: &[
        |case| imitate(&Rules { order: Order::Parallel, ..RIGHT }, case),
        |case| imitate(&Rules { order: Order::FeedForwardFirst, ..RIGHT }, case),
        |case| imitate(&Rules { order: Order::AttentionAlone, ..RIGHT }, case),
    ],
    cuts: &[],
};
