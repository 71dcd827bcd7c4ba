//! The first example's mask, used for the whole batch.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{MaskOf, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mask-of-first-example",
    task: "scaled-dot-product",
    summary: "every example of a batch is masked as the first one is",
    page: "\
## What we saw

The first example of a batch is right. All others hide what the mask of the first one hides:
padding of theirs is looked at, and real tokens are left out. With a batch of one, or where all
masks are the same, nothing is wrong.

## Why it is wrong

Sequences of one batch have different lengths, so each brings its own row of the mask. Taking one
for all works in every test with a single example, and in training for whichever sentence happens
to be as long as the first. What a sentence is taken for then depends on which other sentence
comes before it in the batch, and results change when the data is shuffled.

## Where to look

Write the shape of your mask beside every line that it passes, down to the one that applies it.
Where does its first axis shrink to 1 or disappear? Try a batch of two sequences of lengths 1 and
3, and then the same two in the other order.
",
    imitations: &[|case| imitate(&Rules { mask_of: MaskOf::FirstExample, ..RIGHT }, case)],
    cuts: &[],
};
