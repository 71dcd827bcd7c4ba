//! The first example in place of the first token.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{
    LEFT_OUT, Nothing, Over, Padding, RIGHT, Rule, Rules, imitate,
};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "first-of-batch",
    task: "masked-pooling",
    summary: "the first example is returned, instead of each example's first token",
    page: "\
## What we saw

The pooling of the first token returns the whole first example, `[T, D]`, where `[B, D]` is asked
for: one row for each example. Where there are as many examples as positions, the shape is right
by chance, and the numbers are not. Mean and maximum are right.

## Why it is wrong

The axes of `x` are `[B, T, D]`, and the first one counts examples. Taking index 0 of the first
axis therefore takes an example. What comes out says nothing about all other examples of the
batch, and the classifier, which takes rows for examples, learns to guess the label of example 5
from token 5 of example 0. The habit comes from code in which positions come first.

## Where to look

Write `[B, T, D]` beside the line that picks, and `[B, D]` below it: which axis has to go? Which
one does your index stand for? Try one example of length 3, and three examples of length 1.
",
    imitations: &[
        |case| {
            imitate(
                &Rules {
                    first: Rule {
                        padding: Padding::Included,
                        nothing: Nothing::AsComputed,
                        over: Over::Examples,
                        ..LEFT_OUT
                    },
                    ..RIGHT
                },
                case,
            )
        },
        |case| imitate(&Rules { first: Rule { over: Over::Examples, ..LEFT_OUT }, ..RIGHT }, case),
    ],
    cuts: &[],
};
