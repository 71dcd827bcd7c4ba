//! The other activation.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{Activation, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "activation-swapped",
    task: "feed-forward",
    summary: "ReLU and GELU stand in for one another",
    page: "\
## What we saw

Where the config says ReLU, numbers come out as GELU makes them, and the other way round. Large
hidden numbers hide it, as both leave those alone; around zero the two part.

## Why it is wrong

A config is a promise about what was trained. Weights that were learned with one activation give
other answers under the other, and an experiment that compares the two reports the names reversed.
Each by itself trains well, so that no curve gives it away.

## Where to look

Look at the place where the config's activation is told apart, and read each arm aloud with what it
calls. Then try a hidden number of −1 under both.
",
    imitations: &[|case| imitate(&Rules { activation: Activation::Swapped, ..RIGHT }, case)],
    cuts: &[],
};
