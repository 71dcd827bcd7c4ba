//! The loop never ends early.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Patience, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "patience-ignored",
    task: "loop",
    summary: "the loop carries out every epoch, whatever patience says",
    page: "\
## What we saw

What is kept and what is reported is right for the epochs that were carried out. All of them are,
also when there was no new best for as long as `patience` says.

## Why it is wrong

The best is put back at the end, so the model is no worse for it. But the epochs after the best
are most of the time that a tuning takes, and a search over many recipes can only be afforded
because bad ones end early. Besides, a loop that goes on may find a better epoch much later, by
luck, so that its result cannot be compared with that of a loop that kept to the recipe.

## Where to look

Which fields of the recipe does your code read? If you count: does the comparison end the loop
over epochs, or only one inside of it?
",
    imitations: &[|case| imitate(&Rules { patience: Patience::Never, ..RIGHT }, case)],
    cuts: &[],
};
