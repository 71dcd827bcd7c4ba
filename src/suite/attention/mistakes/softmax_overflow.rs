//! Exponentials that are taken as they come.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{EmptyRow, Exponential, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "softmax-overflow",
    task: "scaled-dot-product",
    summary: "large scores overflow in the softmax",
    page: "\
## What we saw

With scores of ordinary size all is right. Above 88 the weights are `NaN`, and where all scores of
a row are below −104 they are `NaN` or 0.

## Why it is wrong

The largest number in `f32` is about 3.4 · 10³⁸, which is e to the power of 88.7: a larger score
gives infinity, and infinity over infinity is no number. In the other direction the exponential
becomes 0, and a sum of zeros is no good to divide by. Scores of that size come about in training,
in the one step where something went wrong, and then nothing can be set right again. The softmax
has a property that keeps all of that away: it depends on differences of scores alone, so some
score can be made 0 without changing the result.

## Where to look

Work out the softmax of `[1000, 1000]` and of `[-1000, -1000]`, first by thinking, then as your
code does. Which number should never go into an exponential? `candle_nn::ops::softmax` minds this,
and has a gradient.
",
    imitations: &[
        |case| imitate(&Rules { exponential: Exponential::Guarded, ..RIGHT }, case),
        |case| {
            imitate(
                &Rules {
                    exponential: Exponential::Plain,
                    empty_row: EmptyRow::NotANumber,
                    ..RIGHT
                },
                case,
            )
        },
        |case| imitate(&Rules { exponential: Exponential::Plain, ..RIGHT }, case),
    ],
    cuts: &[],
};
