//! Dropout stands before the norm.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, Step, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "dropout-before-norm",
    task: "partial",
    summary: "the head drops numbers before its norm, and not before its last map",
    page: "\
## What we saw

Outside of training all is right. In training, numbers are dropped before the norm: what goes into
the last map is neither zero nor a scaled version of what it is without dropout.

## Why it is wrong

Dropout keeps the mean of each number by scaling what it leaves. A norm undoes that: it computes
its mean and its variance from what is left, zeros and all, so that every number changes when one
is dropped, and a dropped one comes out as anything but zero. In training the norm sees another
distribution than outside of it, and what it has learned there does not fit when the model is
used.

## Where to look

In which order does the formula's third line apply its operations? Which of them stands between
dropout and the last map in yours?
",
    imitations: &[|case| {
        imitate(&Rules { head: &[Step::Dropout, Step::Norm, Step::Relu], ..RIGHT }, case)
    }],
    cuts: &[],
};
