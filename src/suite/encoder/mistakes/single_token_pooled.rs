//! One token stands for the text.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "single-token-pooled",
    task: "classifier",
    summary: "the head gets a single token's vector instead of the mean",
    page: "\
## What we saw

A text of one token is right. For longer ones the head gets what the encoder gives at one place,
where the mean of all real tokens is due.

## Why it is wrong

Models with a special first token pool so, and have trained that token to sum up the rest. Here
there is no such token: the first is a word like any other, and the last may be padding. It works
more or less, and is not the model that is asked for, with which weights and results can be
exchanged.

## Where to look

Which rows of `[B, T, D]` go into your vector? Change a token in the middle of a text: does the
head notice other than through attention?
",
    imitations: &[
        |case| imitate(&Rules { pools: Pools::First, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::Last, ..RIGHT }, case),
    ],
    cuts: &[],
};
