//! A softmax along the queries.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{EmptyRow, RIGHT, Rules, Softmax, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "softmax-over-queries",
    task: "scaled-dot-product",
    summary: "the softmax runs over the queries instead of the keys",
    page: "\
## What we saw

The columns of the weights sum to one, the rows do not. With a single query every weight is 1,
whatever the scores. Where there are as many queries as keys, the shapes give nothing away.

## Why it is wrong

Each query should share one whole among the keys. Here each key is shared among the queries: a
query gets more of a key if other queries want it less, and one that nobody else competes with
gets several wholes. So the result of a position depends on the other queries of the same call,
and a model that is asked word by word answers otherwise than one that is asked for all words at
once.

## Where to look

Write the shape of the scores on paper with a name under each axis: which one counts queries,
which one keys? Then count to the one that you gave the softmax. A test with one query and two
keys shows it at once: what should two equally good keys get?
",
    imitations: &[
        |case| imitate(&Rules { softmax: Softmax::OverQueries, ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { softmax: Softmax::OverQueries, empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
        |case| {
            imitate(
                &Rules { softmax: Softmax::OverQueries, empty_row: EmptyRow::NotANumber, ..RIGHT },
                case,
            )
        },
    ],
    cuts: &[],
};
