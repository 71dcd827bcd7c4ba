//! No layer learns.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-alone-learns",
    task: "partial",
    summary: "every layer is frozen, and the head alone learns",
    page: "\
## What we saw

Every logit is right, and gradients arrive at the head. None arrives at any layer of the encoder,
whatever `unfrozen` says.

## Why it is wrong

The head then gets what a pretrained encoder thinks of a first token, which was trained for
another question, and has to make the best of it. That is a baseline worth knowing, and `unfrozen`
of zero asks for it; but with two or four layers unfrozen the same numbers come out, to the bit,
and a table of results compares a model with itself. Task 1 freezes the whole encoder, so that a
line copied from there runs and does this.

## Where to look

What is said of the names below `base`, and where does `unfrozen` come into it? Which form do the
names have that it is asked about?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| to.starts_with("base.")],
};
