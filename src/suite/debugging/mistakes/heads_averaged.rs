//! The mean over the heads is kept.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "heads-averaged",
    task: "capture",
    summary: "the heads come back as one",
    page: "\
## What we saw

One tensor a call comes back, with a single head in it: the mean of all.

## Why it is wrong

Heads learn to look at different things. Their mean looks at everything a little, whatever each of
them does, and so hides just what one wants to see.

## Where to look

Look at what your hook does with the weights before it keeps them. They are asked for as they are.
",
    imitations: &[|case| imitate(&Rules { averages: true, ..RIGHT }, case)],
    cuts: &[],
};
