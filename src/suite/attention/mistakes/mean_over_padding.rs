//! A mean in which padding takes part.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{
    LEFT_OUT, Nothing, Padding, RIGHT, Rule, Rules, imitate,
};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mean-over-padding",
    task: "masked-pooling",
    summary: "padding takes part in the mean",
    page: "\
## What we saw

The mean is taken over all positions, padding included. Sequences without padding are right, and
so are maximum and first token.

## Why it is wrong

After attention, the positions of padding do not hold zeros: each has been given a mixture of the
real tokens, and a bias besides. In a batch that is padded to its longest text, a short text's
mean is mostly made of them. The same text gets another vector in another batch, the longest text
decides how much, and evaluation with a batch of one gives other results than training did. This
is among the most frequent errors in published notebooks, because it costs a few points of
accuracy and nothing else.

## Where to look

Does the mask have any part in your mean? It should have two: in what is summed, and in one other
place. Which one? Try the tokens 2 and 4 and one of padding that holds 100.
",
    imitations: &[
        |case| {
            imitate(&Rules { mean: Rule { padding: Padding::Included, ..LEFT_OUT }, ..RIGHT }, case)
        },
        |case| {
            imitate(
                &Rules {
                    mean: Rule {
                        padding: Padding::Included,
                        nothing: Nothing::AsComputed,
                        ..LEFT_OUT
                    },
                    ..RIGHT
                },
                case,
            )
        },
    ],
    cuts: &[],
};
