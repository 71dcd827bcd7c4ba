//! Each placement is taken for the other.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Placement, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norm-placements-swapped",
    task: "encoder-layer",
    summary: "pre-norm layers are built as post-norm and the other way round",
    page: "\
## What we saw

Where the config says post-norm, the norms stand before the sublayers, and where it says pre-norm,
after the sums. Each of the two formulas is right by itself.

## Why it is wrong

Nothing in a training curve says which of the two was trained, so the mistake survives until
somebody compares results or loads weights from elsewhere. A pre-norm encoder then ends in two
norms, one of the last layer and one of its own, and a post-norm encoder ends in none.

## Where to look

Read each arm of the place where the two are told apart aloud, together with the formula that
stands in it. Before what, or after what, does the name say that the norm stands?
",
    imitations: &[|case| imitate(&Rules { placement: Placement::Swapped, ..RIGHT }, case)],
    cuts: &[],
};
