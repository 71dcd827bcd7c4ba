//! The encoder's mask is turned round.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, Seen, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tuned-mask-inverted",
    task: "prefix",
    summary: "the mask is turned round for the encoder: it sees padding and nothing else",
    page: "\
## What we saw

Real tokens and the prefix are hidden from one another, and padding is seen. In a text without
padding nobody sees anything, and each token comes out as if it were alone.

## Why it is wrong

Libraries do not agree on what a mask means: in some, 1 marks what is to be left out. Here 1 is a
real token, in the pooling as in the encoder, and whoever turns it for one of the two has a model
that attends to nothing but fillings. The mean still runs over the right places, so that the
numbers look healthy; the words get into it without their context, and the prefix not at all.

## Where to look

What does the documentation of `encode` say of a 1 in its mask? Print the one that you hand over,
for a text with a single real token.
",
    imitations: &[|case| imitate(&Rules { seen: Seen::Inverted, ..RIGHT }, case)],
    cuts: &[],
};
