//! Norms after the sums, always.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Placement, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "always-post-norm",
    task: "encoder-layer",
    summary: "the norms stand after the sums, whatever the config says",
    page: "\
## What we saw

Post-norm layers are right, and pre-norm layers give what post-norm layers would: the switch in the
config moves nothing.

## Why it is wrong

The two placements are different models. Post-norm stacks need a learning rate that is warmed up,
pre-norm stacks do not; a recipe that was made for one fails on the other, and a comparison of both
compares one with itself. Older tutorials know the first form alone.

## Where to look

Where is the config's placement read, and which lines hang on it? Write the two formulas of the
documentation one below the other, and mark where they differ.
",
    imitations: &[|case| imitate(&Rules { placement: Placement::Post, ..RIGHT }, case)],
    cuts: &[],
};
