//! Self-attention, whatever is handed in.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, Sources, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "key-value-ignored",
    task: "multi-head",
    summary: "keys or values are made from another input than the one handed in for them",
    page: "\
## What we saw

With the same tensor for query, key and value, everything is right. In cross-attention the result
does not depend on the key, on the value, or on both: another input stands in for them. Where it
is the query, the weights are `[B, H, Tq, Tq]`, and a mask for `Tk` keys does not fit.

## Why it is wrong

Attention has three inputs so that one sequence can look at another. Section 3.2.3 of Vaswani et
al. 2017 lists where: in a decoder, the queries come from the sentence being written, and keys and
values from the sentence being translated. A layer that looks only at itself never reads the
source. In a model with encoders alone it goes unnoticed, and prefix tuning, which puts trained
keys and values before the real ones, has nothing to take hold of.

## Where to look

Which of the parameters of `attend` goes into each of your three projections? Unused ones may have
been renamed with an underscore to please the compiler: it was right to ask. Try a query of length
2 with keys and values of length 3.
",
    imitations: &[
        |case| imitate(&Rules { sources: Sources::QueryAlone, ..RIGHT }, case),
        |case| imitate(&Rules { sources: Sources::ValueFromKey, ..RIGHT }, case),
        |case| imitate(&Rules { sources: Sources::ValueFromQuery, ..RIGHT }, case),
        |case| imitate(&Rules { sources: Sources::KeyFromQuery, ..RIGHT }, case),
        |case| imitate(&Rules { sources: Sources::KeyFromValue, ..RIGHT }, case),
    ],
    cuts: &[],
};
