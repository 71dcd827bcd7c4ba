//! The learning rate does not go down.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "decay-missing",
    task: "loop",
    summary: "after the warm-up the learning rate stays at its highest",
    page: "\
## What we saw

The warm-up is right. From its end on the parameters are those of a learning rate that stays where
it is, to the last step.

## Why it is wrong

A step of Adam is about as long as the learning rate, however small the gradient has become. With
a rate that stays high the parameters do not come to rest near a minimum: they are thrown to and
fro around it, and which of these places the last step ends in is luck. The decay makes the steps
shorter until the last one moves nearly nothing, and a validation loss that jumped from epoch to
epoch then settles.

## Where to look

What does your learning rate come to in the very last step? The formula has two lines: which of
them is used when the warm-up is over?
",
    imitations: &[|case| imitate(&Rules { rate: Rate::Up, ..RIGHT }, case)],
    cuts: &[],
};
