//! Pooling along the batch.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, Over, RIGHT, Rule, Rules, imitate};

const OVER_EXAMPLES: Rule = Rule { over: Over::Examples, ..LEFT_OUT };

pub(super) const MISTAKE: Mistake = Mistake {
    id: "pooling-over-batch",
    task: "masked-pooling",
    summary: "mean and maximum run over the examples of a batch instead of the positions",
    page: "\
## What we saw

What is pooled over is the batch: the result is `[T, D]`, one row for each position, made of all
examples. Where there are as many examples as positions, the shape is right by chance, and the
numbers are not. Changing one example changes every row.

## Why it is wrong

The axes of `x` are `[B, T, D]`, and pooling is to make one vector of each example. Along the
batch it makes one of each position instead: the mean of all first words, of all second words, and
so on. The classifier takes row 3 for example 3 and is told its label, which has nothing to do
with it. If the sizes happen to agree in training, the loss can fall all the same, as each row
contains a part of its example.

## Where to look

Write `[B, T, D]` beside your sum or maximum, and the number of the axis below each letter. Which
number do you pass? Try one example of three tokens: how many rows should come out?
",
    imitations: &[
        |case| imitate(&Rules { mean: OVER_EXAMPLES, max: OVER_EXAMPLES, ..RIGHT }, case),
        |case| {
            imitate(&Rules { mean: OVER_EXAMPLES, max: OVER_EXAMPLES, first: OVER_EXAMPLES }, case)
        },
        |case| imitate(&Rules { mean: OVER_EXAMPLES, ..RIGHT }, case),
        |case| imitate(&Rules { max: OVER_EXAMPLES, ..RIGHT }, case),
    ],
    cuts: &[],
};
