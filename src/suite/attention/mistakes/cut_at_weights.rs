//! A graph that ends at the weights.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "cut-at-weights",
    task: "scaled-dot-product",
    summary: "no gradient passes through the weights to query and key",
    page: "\
## What we saw

Every number that comes out is right. On the way back, a gradient arrives at `value`, and none at
`query` and `key`: the weights are treated as constants. So the values still learn, and what
decides where to look stays as it was initialized, for ever.

## Why it is wrong

Candle remembers how a tensor was made only if the operation says how to go back.
`candle_nn::ops::softmax_last_dim` is a fast path that does not, and ends the graph without a
word; `candle_nn::ops::softmax` does remember. The same comes of `detach`, and of numbers that
were fetched with `to_vec1` and the like and made into a tensor again: the new tensor has no
history. From outside these look alike, so we cannot tell which of them it is.

## Where to look

Go backwards from the weights. For each line, ask whether candle could know from which tensor this
one came. A small test helps: make the query a `Var`, sum the output, call `backward` and look
whether the store holds anything for it.
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| to != "value"],
};
