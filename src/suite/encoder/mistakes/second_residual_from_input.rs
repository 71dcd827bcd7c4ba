//! The second sum adds the layer's input.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Base, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "second-residual-from-input",
    task: "encoder-layer",
    summary: "the network's output is added to the layer's input, past the attention",
    page: "\
## What we saw

The first half of the layer is right. Then the network's output is added to what went into the
layer, and not to what the first half made of it: the attention's own contribution is gone from the
sum.

## Why it is wrong

Both sums look alike, and a variable with the wrong name is all it takes. What attention found out
then reaches the next layer only as far as the network repeats it. The layer runs, it even learns,
and it is a published bug in more than one notebook: the picture of attention looks sensible, and
still the model is no better than one without.

## Where to look

Give the result of the first half a name of its own, and look which name stands in the second sum.
",
    imitations: &[|case| imitate(&Rules { bases: [Base::Stream, Base::Input], ..RIGHT }, case)],
    cuts: &[],
};
