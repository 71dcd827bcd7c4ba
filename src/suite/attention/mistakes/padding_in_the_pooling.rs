//! A pooling without its mask.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-in-the-pooling",
    task: "classifier",
    summary: "the attention leaves padding out, and the pooling does not",
    page: "\
## What we saw

Texts without padding are right. With padding, what the attention gives at places that are no text
takes part in the pooling.

## Why it is wrong

A query at padding sees the real tokens like any other, and gives an output that looks like
theirs. So a mean that includes it is not even far off, and no id at padding shows as a key. But
the query itself is made of what stands at padding, and how many of those there are hangs on the
longest text of the batch. The same text is pooled to one vector alone and to another one in
company; and a text of padding alone, which should be nothing, becomes something.

## Where to look

The pooling takes two arguments. What is the second one in your `forward`, and what does `None`
mean there?
",
    imitations: &[|case| imitate(&Rules { pools: Pools::Everything, ..RIGHT }, case)],
    cuts: &[],
};
