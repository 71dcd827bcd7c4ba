//! An output in f64.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "network-in-double-precision",
    task: "feed-forward",
    summary: "what the network gives is in f64 instead of f32",
    page: "\
## What we saw

The output has the dtype f64, where f32 is asked for: some step was done in double precision, and
its result was not brought back.

## Why it is wrong

Candle does not mix types: what is f64 cannot be added to the f32 stream that passes by the
network, and the error then names a line in another file. Computing a step in double precision can
be worth while, and is right as long as only the step is. It costs twice the memory, and most
devices are slow at it.

## Where to look

Which of your tensors is the first that is f64? Print the dtype after each line, and look at where
it should become f32 again.
",
    imitations: &[|case| imitate(&Rules { in_f64: true, ..RIGHT }, case)],
    cuts: &[],
};
