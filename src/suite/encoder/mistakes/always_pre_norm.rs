//! Norms before the sublayers, always.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Placement, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "always-pre-norm",
    task: "encoder-layer",
    summary: "the norms stand before the sublayers, whatever the config says",
    page: "\
## What we saw

Pre-norm layers are right, and post-norm layers give what pre-norm layers would: their output is
not even normed.

## Why it is wrong

The two placements are different models. A post-norm layer hands on tokens of mean and variance
that its norm decides; whoever comes next may rely on that, and an encoder of such layers has no
norm at its end. With pre-norm inside, nothing bounds what comes out, and a recipe that was made
for the one fails on the other.

## Where to look

Where is the config's placement read, and which lines hang on it? Write the two formulas of the
documentation one below the other, and mark where they differ.
",
    imitations: &[|case| imitate(&Rules { placement: Placement::Pre, ..RIGHT }, case)],
    cuts: &[],
};
