//! The last of equals wins.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::sweep::{RIGHT, Rules, Tie, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "last-of-equals",
    task: "sweep",
    summary: "of two equal trials the last wins instead of the first",
    page: "\
## What we saw

Where all validation accuracies differ the choice is right. Of two that are equal and highest, the
later one is chosen.

## Why it is wrong

Equal accuracies are common, for a small validation set knows few different ones. Which of them
wins is a matter of agreement, and an agreement is needed: two programs that search the same grid
should choose the same model. The first is the one that a person who reads the report from the top
finds. Comparisons with an equals sign, and library functions for a maximum, often keep the last.

## Where to look

What happens in your comparison when both sides are equal? Look at the documentation of what you
call.
",
    imitations: &[|case| imitate(&Rules { tie: Tie::Last, ..RIGHT }, case)],
    cuts: &[],
};
