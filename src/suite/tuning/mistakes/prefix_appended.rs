//! The prefix stands behind the tokens, its ones before them.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, Seen, Stands, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-appended",
    task: "prefix",
    summary: "the prefix stands behind the tokens, while the mask is extended at the front",
    page: "\
## What we saw

Without padding all is right. With padding, tokens look at padding, and some vectors of the prefix
are hidden: vectors and mask were extended at opposite ends, the vectors behind the tokens and the
ones of the mask before them.

## Why it is wrong

Attention does not care where a thing stands; all that ties a place to its bit is that both have
the same number. Shift one list against the other and every bit speaks of a neighbour: padding is
let in, and what you train is hidden. How much of it hangs on the lengths of the texts in the
batch, so that the loss falls, more slowly than it could, and batches of one length show nothing.

## Where to look

Write down, for a text of two words and one place of padding with a prefix of two, what stands at
each place of the vectors and what at each place of the mask.
",
    imitations: &[|case| {
        imitate(&Rules { stands: Stands::Behind, seen: Seen::OtherEnd, ..RIGHT }, case)
    }],
    cuts: &[],
};
