//! A sum instead of a mean.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sum-for-the-mean",
    task: "prefix",
    summary: "the real tokens are added up, and their sum is divided by nothing",
    page: "\
## What we saw

Texts of one real token are right. Others come out too large, by as many times as they have
tokens: the head gets the sum, where the mean is due.

## Why it is wrong

A mean is as large for a long text as for a short one, and the head can learn one threshold for
both. A sum grows with the text, so that length speaks louder than content, and a long text is
classified with a certainty that nothing in it bears out. The gradients grow as well, and a
learning rate that suits short texts is too large for long ones.

## Where to look

Take a text twice over, one after the other, in an encoder without layers. What should become of
the vector that the head gets, and what does?
",
    imitations: &[|case| imitate(&Rules { pools: Pools::Sum, ..RIGHT }, case)],
    cuts: &[],
};
