//! One place stands for the text.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "first-place-for-the-mean",
    task: "prefix",
    summary: "the head gets the first place, of all or of the tokens, and not the mean",
    page: "\
## What we saw

The head gets what the encoder gives at a single place, the first of all or the first of the
tokens, where the mean over the real tokens is due.

## Why it is wrong

In BERT the first token stands for the text, and it is a habit to take index 0. With a prefix,
index 0 is no token at all, but a vector of your own that has looked at the text; and even the
text's first token is here not what is asked for. The task after this one pools so. Both train,
and neither is the model of the formula: weights cannot be exchanged, and padding at the front of
a text would be taken for it.

## Where to look

Which rows of `[B, P + T, D]` reach your head? Change a word in the middle of a text, in an
encoder without layers: does anything move?
",
    imitations: &[
        |case| imitate(&Rules { pools: Pools::FirstPlace, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::FirstToken, ..RIGHT }, case),
    ],
    cuts: &[],
};
