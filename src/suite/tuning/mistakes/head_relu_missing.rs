//! The head has no `ReLU`.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, Step, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-relu-missing",
    task: "partial",
    summary: "the head has no activation between its two maps",
    page: "\
## What we saw

The last map gets what the norm gives as it is, with its negative numbers: nothing is cut off at
zero.

## Why it is wrong

Two linear maps in a row are one, and with nothing but a norm between them there is little that
two can say and one cannot. The activation is what makes the first map worth its parameters: it
lets the head notice that several things are there together. Without it the head learns about as
well as a single map, at `D²` parameters more, and nothing in the loss tells that the rest is
missing.

## Where to look

Read the third line of the formula from the inside out, and point at each operation in your own.
Can a negative number reach your last map?
",
    imitations: &[|case| imitate(&Rules { head: &[Step::Norm, Step::Dropout], ..RIGHT }, case)],
    cuts: &[],
};
