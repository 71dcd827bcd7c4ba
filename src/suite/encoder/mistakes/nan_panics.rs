//! A panic for a score that is no number.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::sweep::{NotANumber, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "nan-panics",
    task: "sweep",
    summary: "a validation accuracy of NaN ends the search in a panic",
    page: "\
## What we saw

Without `NaN` the choice is right. Where a training diverged, with a validation accuracy of `NaN`,
the search ends in a panic.

## Why it is wrong

`NaN` is neither larger nor smaller than any number, so a comparison of two numbers can have no
answer, and `partial_cmp` says so by `None`. Learning rates that are too large are part of every
search, so that this is the usual case and not a rare one. A panic then throws away what all other
trainings found.

## Where to look

Where do you compare two accuracies, and what do you do with a comparison that has no answer? Which
trial should win against `NaN`?
",
    imitations: &[|case| imitate(&Rules { not_a_number: NotANumber::Panics, ..RIGHT }, case)],
    cuts: &[],
};
