//! Gradients are not clipped.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Clips, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "clipping-missing",
    task: "loop",
    summary: "gradients go into the optimizer as they are, however large",
    page: "\
## What we saw

Where the gradients are small all is right. Where their norm is larger than `clip_norm` the
parameters are what AdamW makes of them unscaled.

## Why it is wrong

Adam seems to make clipping needless, because its steps do not hang on the size of gradients. That
is so only where they are all of one size. A single batch with gradients a hundred times as large
stays in the second moment for hundreds of steps, and all of those are too short; and in the first
moment it outweighs every batch around it. Clipping keeps one odd text from deciding where the
next steps lead.

## Where to look

Where does `clip_norm` enter? If you compute a norm, or clipped gradients: are they what the
optimizer gets?
",
    imitations: &[|case| imitate(&Rules { clips: Clips::Nothing, ..RIGHT }, case)],
    cuts: &[],
};
