//! The wrong keys are summed.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "share-of-real-tokens",
    task: "statistics",
    summary: "the share on padding is that on real tokens",
    page: "\
## What we saw

`on_padding` is close to one for heads that give no weight to padding, and small for those that give
it nearly all.

## Why it is wrong

A mask holds 1 at a real token and 0 at padding. The share on padding is the sum of the weights at
the keys where it is 0. What came back is the sum over the others: the share on real tokens, which
is one minus what was asked for. Read as it is named, it says of every healthy head that it looks at
nothing but padding, and praises the one head with an inverted mask.

## Where to look

Look at which way the condition of the third sum points. What should a head that ignores padding
get?
",
    imitations: &[|case| imitate(&Rules { on_padding: false, ..RIGHT }, case)],
    cuts: &[],
};
