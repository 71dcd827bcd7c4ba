//! An output in f64.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layer-in-double-precision",
    task: "encoder-layer",
    summary: "what the layer gives is in f64 instead of f32",
    page: "\
## What we saw

The output has the dtype f64, where f32 is asked for: some step, such as a norm, was done in double
precision, and its result was not brought back.

## Why it is wrong

Candle does not mix types. The next layer's maps are f32, and their product with an f64 stream is
an error, which names a line in another file than the one that is to blame. Norms are often
computed in a wider type for the sake of their sums, and rightly so, but then the result is brought
back before it leaves the norm.

## Where to look

Which of your tensors is the first that is f64? Print the dtype after each line, and look at where
it should become f32 again.
",
    imitations: &[|case| imitate(&Rules { in_f64: true, ..RIGHT }, case)],
    cuts: &[],
};
