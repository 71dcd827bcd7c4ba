//! The wrong keys are summed.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "share-of-real-tokens",
    task: "statistics",
    summary: "the share on padding is that on real tokens",
    page: "\
## What we saw

`on_padding` is one where it should be zero.

## Why it is wrong

A mask of 1 is a real token. The share on padding is over the keys where it is 0.

## Where to look

Look at which way the condition of the third sum points.
",
    imitations: &[|case| imitate(&Rules { on_padding: false, ..RIGHT }, case)],
    cuts: &[],
};
