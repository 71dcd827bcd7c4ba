//! The budget is not kept.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::sweep::{Budget, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "budget-overrun",
    task: "sweep",
    summary: "more trainings are carried out than the budget allows",
    page: "\
## What we saw

With a budget for everything the search is right. With a smaller one it goes on: to the end, by one
training too many, or by starting anew for each learning rate.

## Why it is wrong

A training takes minutes or days, and a budget is what somebody is ready to pay. A search that
overruns it by one training of a night has spent a night; one that only looks at the budget in the
inner loop spends it once for each learning rate. What was found within the budget should be
reported, and nothing beyond it begun.

## Where to look

When do you compare with the budget: before a training or after it? What does the end of the inner
loop mean for the outer one?
",
    imitations: &[
        |case| imitate(&Rules { budget: Budget::Ignored, ..RIGHT }, case),
        |case| imitate(&Rules { budget: Budget::OneMore, ..RIGHT }, case),
        |case| imitate(&Rules { budget: Budget::EachRate, ..RIGHT }, case),
    ],
    cuts: &[],
};
