//! A sublayer's output is not dropped.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sublayer-dropout-missing",
    task: "encoder-layer",
    summary: "what a sublayer gives is added without dropout",
    page: "\
## What we saw

In training, what one of the sublayers gives (or both) is added whole, whatever the probability of
dropout. Dropout inside of the sublayers does not make up for it.

## Why it is wrong

Dropout on what is added keeps the stream from relying on a single sublayer's remark about a token:
now and then, one is missing. Vaswani et al. apply it there, in section 5.4, and all published
recipes count on it. Without it the model learns its training examples by heart sooner, and nothing
in training looks wrong.

## Where to look

Take the formula and mark each `dropout`: there are two in each placement. Which of your sums adds
something that passed none?
",
    imitations: &[
        |case| imitate(&Rules { drops: [false, false], ..RIGHT }, case),
        |case| imitate(&Rules { drops: [true, false], ..RIGHT }, case),
        |case| imitate(&Rules { drops: [false, true], ..RIGHT }, case),
    ],
    cuts: &[],
};
