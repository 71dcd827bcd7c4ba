//! Equal weights for a query that may look at nothing.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{EmptyRow, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-row-uniform",
    task: "scaled-dot-product",
    summary: "a query that may look at nothing looks at everything alike",
    page: "\
## What we saw

Where the mask hides every key from a query, its weights are all equal, `1 / Tk` each, and its
output is the plain mean of values that it was not to see. Every other query is right.

## Why it is wrong

A softmax compares: if all scores are lowered to the same very small number, the differences
between them are gone and every key gets the same share. So what should mean \"nothing\" comes to
mean \"everything\". It looks harmless, since no number is infinite, and that is the danger: padding
leaks into positions that nobody checks, and the layers above cannot tell such a mixture from a
meaning.

## Where to look

Take a row of three keys, all hidden, and follow its numbers from the scores to the weights. What
distinguishes it, after the softmax, from a row in which all three keys fit equally well? Which
tensor of your code still knows the difference? The documentation of the trait says what the
weights of such a row are to be.
",
    imitations: &[|case| imitate(&Rules { empty_row: EmptyRow::Uniform, ..RIGHT }, case)],
    cuts: &[],
};
