//! Only the last of the calls whose weights have the same shape is kept.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "calls-of-one-shape-merged",
    task: "capture",
    summary: "of calls whose weights have one shape, the last alone is kept",
    page: "\
## What we saw

Calls of different shapes are all captured. Where several calls have the same shape, only the last
is left, and what comes back is in the order of the shapes and not of the calls.

## Why it is wrong

The shape of a batch does not say which batch it was: in an epoch nearly all batches are of one
size, and the last one is the odd one out. What is kept under its shape is overwritten by the next
call of that shape, so that of a hundred calls two are left.

## Where to look

Under what do you keep a tensor, and can two calls of an epoch have the same?
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::OneOfEachShape, ..RIGHT }, case)],
    cuts: &[],
};
