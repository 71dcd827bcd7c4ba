//! The highest validation loss is taken for the best.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Best, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "highest-loss-wins",
    task: "loop",
    summary: "the epoch with the highest validation loss is called the best",
    page: "\
## What we saw

The epoch that is reported as the best, and whose parameters come back, is the one with the
highest validation loss.

## Why it is wrong

Early stopping is as often told of an accuracy, which should be high, as of a loss, which should
be low, and the two comparisons look alike. Turned around, the loop keeps the worst of all models:
with a loss that falls from epoch to epoch it is the first one, and patience ends the training
while it still gets better. The validation losses in the report are right, and that makes it hard
to see; the accuracy of what was kept is not.

## Where to look

Take the losses 3, 2, 1 and go through your comparison by hand. Which epoch is the best after each
of them, and what would an accuracy want there?
",
    imitations: &[|case| imitate(&Rules { best: Best::Highest, ..RIGHT }, case)],
    cuts: &[],
};
