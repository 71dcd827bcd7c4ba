//! `ReLU` stands before the norm.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, Step, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "relu-before-norm",
    task: "partial",
    summary: "the head cuts off at zero before the norm, and not after it",
    page: "\
## What we saw

The head has all of its parts, but ReLU and the norm have changed places: the first map's output
is cut off at zero, then normed, and goes to the last map with negative numbers in it.

## Why it is wrong

Before the norm the numbers have no particular centre, and ReLU may cut off all of them or none,
text by text: of a text whose numbers are all negative only the norm's bias is left, whatever it
said. After the norm they lie around the bias that the norm has learned, and the cut is where it
is useful. Both orders train, and weights of the one are worth little in the other.

## Where to look

A chain of calls runs from left to right, a formula from the inside out. Which of the two is
applied first in each?
",
    imitations: &[|case| {
        imitate(&Rules { head: &[Step::Relu, Step::Norm, Step::Dropout], ..RIGHT }, case)
    }],
    cuts: &[],
};
