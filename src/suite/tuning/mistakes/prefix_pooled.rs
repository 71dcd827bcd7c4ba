//! The prefix is pooled.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-pooled",
    task: "prefix",
    summary: "the places of the prefix take part in the mean, or are all of it",
    page: "\
## What we saw

Without a prefix all is right. With one, what the encoder gives at its places goes into the mean:
beside the tokens, or in their stead. A text of padding alone gets more than the head's bias.

## Why it is wrong

The prefix is there to steer the tokens, and it does so through attention. Pooled, it reaches the
head directly, and is the same for every text there: a second bias, which grows heavier the
shorter a text is. With a prefix of twenty and a text of five words, four fifths of the mean are
not about the text. It trains, and even well at first, and generalises worse.

## Where to look

How many places does the encoder give back, and how many go into your mean? By which mask, and
what does it say of the prefix?
",
    imitations: &[
        |case| imitate(&Rules { pools: Pools::PrefixToo, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::PrefixAlone, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::Everything, ..RIGHT }, case),
    ],
    cuts: &[],
};
