//! The first step has a learning rate of zero.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "warm-up-from-zero",
    task: "loop",
    summary: "the warm-up begins at a learning rate of 0, one step late",
    page: "\
## What we saw

Each step of the warm-up has the learning rate that the step before it should have had, and the
first one has a learning rate of 0: it changes nothing. After the warm-up all is right.

## Why it is wrong

A step with a rate of 0 costs what every other costs, a pass forth and one back, and does nothing
but fill Adam's moments. Where there is little warm-up it is all of it: of a warm-up of one step
nothing is left, and a training of a single step learns nothing at all. It is the mistake of
counting from 0 in a formula that is meant for the step's own number.

## Where to look

Put the first step into your formula, and then the last one of the warm-up. Which share of the
highest rate does each of them get, and which should it?
",
    imitations: &[|case| imitate(&Rules { rate: Rate::FromZero, ..RIGHT }, case)],
    cuts: &[],
};
