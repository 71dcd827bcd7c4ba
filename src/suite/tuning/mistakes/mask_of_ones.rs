//! The encoder sees padding.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, Seen, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mask-of-ones",
    task: "prefix",
    summary: "the mask that the encoder gets hides nothing, padding included",
    page: "\
## What we saw

Texts without padding are right. With padding, the mean leaves it out, but other ids at padding
change the logits: the encoder gets a mask of the right length that is 1 everywhere.

## Why it is wrong

The mask has to grow with the prefix, and a fresh one of the right shape is quickly made; but what
the old one said of padding is then gone. Every layer mixes padding into every token, and the
pooling afterwards cannot take it out again. The same text gets one answer alone and another
beside a longer one, and the prefix that you train learns to make up for the padding of your
batches.

## Where to look

The mask is needed in two places. Where is the one that the encoder gets made, and what of the one
that was handed in is still in it?
",
    imitations: &[|case| imitate(&Rules { seen: Seen::Open, ..RIGHT }, case)],
    cuts: &[],
};
