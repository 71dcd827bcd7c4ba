//! The prefix does not learn.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-detached",
    task: "prefix",
    summary: "no gradient arrives at the prefix",
    page: "\
## What we saw

Every logit is right, and the encoder stays as it is. But no gradient arrives at the prefix
either: the head alone learns, or nothing does.

## Why it is wrong

The prefix then keeps the random numbers that it began with, and random vectors before a text are
no help to it. The loss falls, for the head can learn by itself; it ends where a model without a
prefix ends, or a little above. What freezes the encoder goes by names, and a rule that is too
wide freezes more. In candle a tensor also loses its history by `detach`, and by being rebuilt
from plain numbers.

## Where to look

Which builder is the prefix asked of, and what does it say of that name? Then follow the tensor to
the place where it meets the tokens.
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| !to.starts_with("classifier."), |_, _, _| true],
};
