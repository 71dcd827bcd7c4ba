//! The mean over the heads is kept.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "heads-averaged",
    task: "capture",
    summary: "the heads come back as one",
    page: "\
## What we saw

For each call one tensor comes back, as it should, but with a single head in it: the mean over all
heads.

## Why it is wrong

Heads are several so that they can look at different things: one at the word before, one at the end
of the text, one at nothing in particular. Their mean looks at everything a little, whatever each of
them does. It hides just what a heat map is for, and a head that is broken among three that are not
is hardly to be seen in it.

## Where to look

Look at what your hook does with the weights before it keeps them. They are asked for as the module
showed them, with all of their axes.
",
    imitations: &[|case| imitate(&Rules { averages: true, ..RIGHT }, case)],
    cuts: &[],
};
