//! The head's first map is missing.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "one-map-head",
    task: "partial",
    summary: "the first map of the head is left out",
    page: "\
## What we saw

The first token goes to the norm of the head without passing its first map. `linear1` is not asked
for, or is asked for and not used.

## Why it is wrong

What comes out of the encoder has just been through a norm, the last of the last layer. Without a
map in between, the head's norm has next to nothing left to do, and ReLU cuts off whatever happens
to be negative in the encoder's own channels: half of what it says about the text is thrown away
before anything could be learned about it. The shapes agree, since the map is from `D` to `D`, and
no error comes.

## Where to look

Count the maps between the encoder and the logits, in the formula and in your `forward`. Which
parameter gets no gradient?
",
    imitations: &[|case| imitate(&Rules { one_map: true, ..RIGHT }, case)],
    cuts: &[],
};
