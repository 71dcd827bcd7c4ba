//! The prefix is hidden, or left out.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, Seen, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-hidden",
    task: "prefix",
    summary: "the mask hides the prefix from every token, or it is never put before them",
    page: "\
## What we saw

Whatever the prefix is, the logits are those of the encoder without one: it is put before the
tokens and the mask says there what it says at padding, or it is asked for and never put there.

## Why it is wrong

A mask of zeros means that nobody may look. The prefix is then carried through every layer,
looks at the text itself, and is seen by no token; as its own places are not pooled, nothing of
it comes out. Its gradient is zero to the bit, so that it stays what it was, and what is trained
is the head alone. The loss falls all the same, since a head alone can do much, and only the
comparison with a model without a prefix gives it away: the two are the same.

## Where to look

Which number says that a place may be looked at, and with which one do you fill the mask where
the prefix stands? Follow the tensor of the prefix from the constructor on: which line of
`forward` hands it to the encoder, and is it this one that runs?
",
    imitations: &[|case| imitate(&Rules { seen: Seen::PrefixHidden, ..RIGHT }, case)],
    cuts: &[],
};
