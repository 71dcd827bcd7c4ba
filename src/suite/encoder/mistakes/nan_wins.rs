//! NaN is called the best.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::sweep::{NotANumber, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "nan-wins",
    task: "sweep",
    summary: "a validation accuracy of NaN wins",
    page: "\
## What we saw

Without `NaN` the choice is right. A training that diverged, with a validation accuracy of `NaN`,
is called the best: where it comes first nothing beats it, or it beats everything.

## Why it is wrong

`NaN` is neither larger nor smaller than any number, nor equal to itself, so every comparison with
it is false. A best that begins with `NaN` is then never replaced, and a total order of floating
point numbers puts `NaN` above all. The learning rates that are too large are part of every search,
so that this is the usual case and not a rare one.

## Where to look

Go through your comparison with `NaN` on either side. Which trial is kept?
",
    imitations: &[
        |case| imitate(&Rules { not_a_number: NotANumber::StaysFirst, ..RIGHT }, case),
        |case| imitate(&Rules { not_a_number: NotANumber::Wins, ..RIGHT }, case),
    ],
    cuts: &[],
};
