//! Each number of a gradient is clipped.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Clips, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "clipped-by-value",
    task: "loop",
    summary: "each number of a gradient is cut off at clip_norm, and no norm is taken",
    page: "\
## What we saw

Where no number of a gradient is beyond `clip_norm` all is right. Those that are beyond come out
as exactly that, with their sign.

## Why it is wrong

The recipe bounds the norm of all gradients together, which scales them and keeps their direction.
To cut off each number by itself is another thing of a similar name: the large numbers lose and
the small ones do not, so that the direction turns toward a corner, where all are equally large.
The norm is not even bounded by `clip_norm` then, for a million numbers below it may come to a
norm of hundreds.

## Where to look

Is there a square root in your clipping? Read what `clip_norm` is called in the recipe, and what
libraries that clip by a value and those that clip by a norm each do.
",
    imitations: &[|case| imitate(&Rules { clips: Clips::Values, ..RIGHT }, case)],
    cuts: &[],
};
