//! A residual connection in the network.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "network-adds-its-input",
    task: "feed-forward",
    summary: "the network adds its input to its output",
    page: "\
## What we saw

The output is what it should be, plus the input. With weights and biases of zero in the second map,
the input comes out again, where zeros should.

## Why it is wrong

The residual connection belongs to the layer around the network, which adds what the network gives
to what went past it. Where the network does so as well, the stream is counted twice: with pre-norm
it is even the normed stream that comes on top. A stack of such layers grows with each, and
training has to undo it.

## Where to look

Where in the documentation is something added to the output, and in whose formula: that of
FeedForward or that of EncoderLayer?
",
    imitations: &[|case| imitate(&Rules { residual: true, ..RIGHT }, case)],
    cuts: &[],
};
