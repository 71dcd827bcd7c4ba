//! A prefix is asked for where there is none.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-always-asked-for",
    task: "prefix",
    summary: "a prefix is asked for where `prefix_length` is None",
    page: "\
## What we saw

With a prefix all is right. Where `prefix_length` is `None`, the constructor asks for `prefix` all
the same, and as there is no such parameter it ends in an error.

## Why it is wrong

The model without a prefix is the one to compare with: the same encoder, the same head, and
nothing else that learns. Only beside it can you say what the prefix is worth. A default length in
place of none builds another model than the config names; with a builder that makes what it is
asked for it would even run, and the experiment would compare a prefix with a prefix.

## Where to look

`prefix_length` is an `Option`. What does your constructor make of `None`, and where does that
number go?
",
    imitations: &[|case| imitate(&Rules { always_asks: true, ..RIGHT }, case)],
    cuts: &[],
};
