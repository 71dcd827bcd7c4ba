//! The lowest wins.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::sweep::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "lowest-wins",
    task: "sweep",
    summary: "the trial with the lowest validation accuracy is called the best",
    page: "\
## What we saw

All trainings are carried out and reported as they should be. The one that is called the best has
the lowest validation accuracy of all.

## Why it is wrong

Losses are better the lower they are, accuracies the higher, and code that was written for the one
is quickly used for the other. The search then hands on the worst model it found, with all the
others beside it to compare with. In a table that is sorted by the same comparison, it stands
proudly at the top.

## Where to look

Read your comparison with two numbers in it, such as 0.9 and 0.6. Which one is kept?
",
    imitations: &[|case| imitate(&Rules { lowest: true, ..RIGHT }, case)],
    cuts: &[],
};
