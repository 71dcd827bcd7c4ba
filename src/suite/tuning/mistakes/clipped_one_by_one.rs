//! Each gradient is clipped by its own norm.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Clips, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "clipped-one-by-one",
    task: "loop",
    summary: "each parameter's gradient is clipped by its own norm, not by that of all",
    page: "\
## What we saw

Where nothing has to be clipped all is right. Where something has, each parameter's gradient is
scaled until its own norm is at most `clip_norm`.

## Why it is wrong

All gradients together are one arrow: the direction in which the loss falls most steeply. Scaled
by one factor it keeps its direction and loses length. Scaled one by one, a large gradient loses
more than a small one, and the arrow turns: what should have moved a hundred times as far as
something else now moves as far. Besides, the norm of all together is then anything up to
`clip_norm` times the root of how many parameters there are.

## Where to look

How many factors do you compute in a step, and what is each norm taken over? Where does the loop
over parameters stand?
",
    imitations: &[|case| imitate(&Rules { clips: Clips::EachAlone, ..RIGHT }, case)],
    cuts: &[],
};
