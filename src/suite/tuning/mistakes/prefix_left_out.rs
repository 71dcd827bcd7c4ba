//! The prefix is never used.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, Stands, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-left-out",
    task: "prefix",
    summary: "the prefix is asked for and never put before the tokens",
    page: "\
## What we saw

The prefix is asked for under the right name and in the right shape, and then the logits are those
of the encoder without one. No gradient arrives at it.

## Why it is wrong

What does not take part in the forward pass does not learn: the head alone is trained, and the
checkpoint carries vectors along that mean nothing. Since the head can do much by itself, the loss
falls and the accuracy looks plausible. In Rust this happens easily where a name is used again:
what is built inside a block under a name that exists outside is gone at the end of the block, and
the old tensor goes on.

## Where to look

Follow the tensor of the prefix from the constructor on. Which line of `forward` hands it to the
encoder, and is it this one that runs?
",
    imitations: &[|case| imitate(&Rules { stands: Stands::Nowhere, ..RIGHT }, case)],
    cuts: &[],
};
