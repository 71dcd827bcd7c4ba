//! A second scale before attention.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "scaled-twice",
    task: "multi-head",
    summary: "scores are scaled twice, here and in the attention inside",
    page: "\
## What we saw

The weights are too even: they are those of scores that were divided a second time, by `√K`, by `K`
or by `√D`, outside of the attention that was handed in. The wider a head, the further they are
off, always towards equal shares. With a single key, nothing is wrong.

## Why it is wrong

Scaling is part of scaled dot-product attention, which is handed in ready-made; it has the scale
in its name. Scaling the queries as well is an error that a shared notebook can bring about: some
code scales queries after projecting them and has a plain product afterwards, other code scales in
the product, and each is right by itself. Together they flatten attention towards a mean, which
looks like a model that just does not learn to look anywhere.

## Where to look

List every place where queries, keys or scores are multiplied or divided by something, from the
projection to the softmax, in both tasks together. Does each task do what its own documentation
says and nothing beyond? Try one head of width 16 and see by how much two keys differ.
",
    imitations: &[
        |case| imitate(&Rules { scales_queries: |k, _| 1.0 / k.sqrt(), ..RIGHT }, case),
        |case| imitate(&Rules { scales_queries: |k, _| 1.0 / k, ..RIGHT }, case),
        |case| imitate(&Rules { scales_queries: |_, d| 1.0 / d.sqrt(), ..RIGHT }, case),
    ],
    cuts: &[],
};
