//! Layers in another order, or added up.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Layers, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layers-out-of-order",
    task: "encoder",
    summary: "layers are run backwards, or their outputs are added up",
    page: "\
## What we saw

With one layer the result is right or nearly so. With two, the second comes before the first, or
what they gave is summed instead of handed on.

## Why it is wrong

While a model trains from scratch the order of its layers is a matter of names, and a sum of their
outputs is a model as well. But a checkpoint says which layer comes first, and weights that were
trained in one order are worth nothing in another. The residual connections that add are already
inside of each layer.

## Where to look

Which layer does your loop run first, and what does each hand to the next? Follow a single tensor
through two rounds.
",
    imitations: &[
        |case| imitate(&Rules { layers: Layers::Backwards, ..RIGHT }, case),
        |case| imitate(&Rules { layers: Layers::Summed, ..RIGHT }, case),
    ],
    cuts: &[],
};
