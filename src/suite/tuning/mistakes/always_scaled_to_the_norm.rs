//! Small gradients are scaled up.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Clips, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "always-scaled-to-the-norm",
    task: "loop",
    summary: "gradients are always scaled to clip_norm, small ones up",
    page: "\
## What we saw

Where the gradients are too large they are clipped as they should. Where they are small they are
scaled up, until their norm is `clip_norm`.

## Why it is wrong

Clipping is a bound and not a length: what is below it stays what it is. When every step's
gradients are made equally long, the batch that is already classified well, and has next to no
gradient, weighs as much in Adam's moments as the one that is all wrong. Near a minimum nothing
but noise is left in the gradients, and there it is scaled up to full size.

## Where to look

What does your factor come to for a norm that is half of `clip_norm`? What should it be at most?
",
    imitations: &[|case| imitate(&Rules { clips: Clips::Always, ..RIGHT }, case)],
    cuts: &[],
};
