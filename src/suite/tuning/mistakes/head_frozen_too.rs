//! The head does not learn.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-frozen-too",
    task: "prefix",
    summary: "no gradient arrives at the head, while the prefix learns",
    page: "\
## What we saw

Every logit is right, and the encoder stays as it is. A gradient arrives at the prefix, and none
at the weight and the bias of the head.

## Why it is wrong

The encoder comes pretrained, and its parameters are good for something as they are. The head does
not: it is made anew for these classes, and begins with random numbers. Frozen, it goes on
dividing texts at random, and the prefix has to bend the encoder until its output suits a head
that means nothing. Some of that can be learned, so that the loss falls; it stays far above what
is possible.

## Where to look

What is said of the names that learn, and is it said of the head's as well? Read it once for each
row of the table of parameters.
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| to != "prefix"],
};
