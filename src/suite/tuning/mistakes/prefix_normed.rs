//! The prefix passes the norm of the embedding.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{Passes, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-normed",
    task: "prefix",
    summary: "the prefix passes the norm of the embedding before it comes to the layers",
    page: "\
## What we saw

Without a prefix all is right. With one, the layers do not get its vectors as they are, but what
the norm of the embedding makes of them, after the table of positions was added or without that.

## Why it is wrong

Tokens come out of a table and are normed so that they suit the first layer. The prefix suits it
by itself, since it is trained to: it is the layers' own input, free to be as large as it likes,
and to say by its size how much attention it wants. Through the norm all its vectors get the same
size, and a checkpoint that was trained without it means something else here.

## Where to look

Read what the documentation says of what comes before the prefix. Then follow it from the builder
to the encoder: what is done to it that the formula does not do?
",
    imitations: &[
        |case| imitate(&Rules { passes: Passes::Norm, ..RIGHT }, case),
        |case| imitate(&Rules { passes: Passes::PositionsAndNorm, ..RIGHT }, case),
    ],
    cuts: &[],
};
