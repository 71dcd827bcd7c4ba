//! One norm for both places.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Names, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norms-shared",
    task: "encoder-layer",
    summary: "both norms have the same parameters",
    page: "\
## What we saw

Where the two norms have the same weights all is right, as it is when training begins. Where they
differ, one of them is used in both places, and the other never.

## Why it is wrong

What goes into the attention and what goes into the network are different things, and each norm
learns which channels matter for its own. A shared norm must serve both, and the gradients of the
two places pull it in two directions. At the start of training every norm has weights of one and
biases of zero, so that no comparison at that moment tells.

## Where to look

Which field does each of the two places call, and which name did the constructor ask for in each?
",
    imitations: &[
        |case| imitate(&Rules { names: Names::First, ..RIGHT }, case),
        |case| imitate(&Rules { names: Names::Second, ..RIGHT }, case),
    ],
    cuts: &[],
};
