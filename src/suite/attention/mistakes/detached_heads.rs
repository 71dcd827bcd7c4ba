//! A graph that ends where the heads are merged.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "detached-heads",
    task: "multi-head",
    summary: "no gradient passes from the output back through the merged heads",
    page: "\
## What we saw

Every number that comes out is right. On the way back from the output, a gradient arrives at
`out_proj` and nowhere below it: not at the other projections and not at the inputs. Only what
comes back by way of the weights still gets through to query and key.

## Why it is wrong

Candle remembers how a tensor was made from others, and follows that back. Numbers that were
fetched with `to_vec1` and the like, rearranged in a loop and made into a tensor again have no
such memory: for candle the new tensor is a constant, as if you had typed it in. So three of four
projections, and every layer below, stay as they were initialized. The loss falls nevertheless,
since the last projection still learns.

## Where to look

Go backwards from `out_proj` and ask of each step: is it an operation of candle on a tensor, or a
detour through plain numbers? Can what the detour does be said with `transpose`, `reshape` or
`flatten_from`?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, from, to| from == "output" && !to.starts_with("out_proj")],
};
