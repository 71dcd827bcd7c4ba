//! A softmax along the heads.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{EmptyRow, RIGHT, Rules, Softmax, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "softmax-over-heads",
    task: "scaled-dot-product",
    summary: "the softmax runs over the heads instead of the keys",
    page: "\
## What we saw

For each query and key, the weights of all heads sum to one, and those of one head do not: they
sum to anything between 0 and the number of keys. With a single head every weight is 1, whatever
the scores.

## Why it is wrong

A head's weights say how its query shares its attention among the keys, so it is the keys that
compete. Here the heads compete for each key instead: what one head looks at, the others cannot.
Heads should be independent of one another (\"jointly attend to information from different
representation subspaces\", section 3.2.2 of Vaswani et al. 2017), and what is mixed is no mean of
values any more.

## Where to look

Write the shape of the scores on paper with a name under each axis, and count to the axis that you
gave the softmax; axes are counted from 0, and the batch is one of them. Then add up your weights
along each axis in turn: along which do they come to one?
",
    imitations: &[
        |case| imitate(&Rules { softmax: Softmax::OverHeads, ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { softmax: Softmax::OverHeads, empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
        |case| {
            imitate(
                &Rules { softmax: Softmax::OverHeads, empty_row: EmptyRow::NotANumber, ..RIGHT },
                case,
            )
        },
    ],
    cuts: &[],
};
