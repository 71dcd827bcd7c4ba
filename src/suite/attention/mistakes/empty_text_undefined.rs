//! A mean of nothing.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-text-undefined",
    task: "classifier",
    summary: "a text of padding alone gives logits that are no numbers",
    page: "\
## What we saw

All texts with at least one word are right. A text whose mask is all 0 gets `NaN` in every class.

## Why it is wrong

Zero divided by zero is not a number, and it does not stay where it is: the loss of the whole
batch becomes `NaN`, then every gradient, and after one step every weight of the model. Empty
texts do occur: a line that held nothing but a link, a message that was all punctuation, a batch
that was filled up. One of them in a hundred thousand ends a training run at a moment that nobody
can reproduce. The documentation therefore says what nothing is pooled to: zeros, so that the
logits are the head's bias.

## Where to look

By what do you divide, and what is that for a text without a real token? The pooling that `below`
makes is right there: is it the one that you use?
",
    imitations: &[|case| imitate(&Rules { pools: Pools::Unguarded, ..RIGHT }, case)],
    cuts: &[],
};
