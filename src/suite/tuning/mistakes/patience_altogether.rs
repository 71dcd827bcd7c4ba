//! Patience is counted altogether.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Patience, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "patience-altogether",
    task: "loop",
    summary: "epochs without a new best are counted altogether, not in a row",
    page: "\
## What we saw

Where the validation loss goes down and then up once all is right. Where there is a new best after
some epochs that were none, those are still counted, and the loop ends too early.

## Why it is wrong

Patience asks whether the model has stopped getting better, and a new best answers that it has
not. What was counted before says nothing any more. A loop that never forgets it punishes a model
for bumps that it got over: with a patience of 3, a training that goes two steps down and one up
ends after its third bump, in the middle of its way down.

## Where to look

What happens to your count when there is a new best? Go through the losses 5, 6, 4, 5, 3 with
patience 2.
",
    imitations: &[|case| imitate(&Rules { patience: Patience::Altogether, ..RIGHT }, case)],
    cuts: &[],
};
