//! Means of the texts are averaged.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{Empty, Mean, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mean-of-means",
    task: "statistics",
    summary: "short texts weigh as much as long ones",
    page: "\
## What we saw

Where all texts of a batch are equally long, all three numbers are right. Where they are not, the
numbers are off.

## Why it is wrong

A mean of means gives a text of one word the same say as a text of a hundred. And a text of one word
always has an entropy of 0, so that a few short ones in a batch make every head look sharper than it
is. Every real query of the batch is to count once, whichever text it stands in; then it makes no
difference how texts are put together into batches.

## Where to look

Look at how often you divide, at which axes are left when you do, and at what the number is that you
divide by.
",
    imitations: &[
        |case| imitate(&Rules { mean: Mean::Texts(Empty::LeftOut), ..RIGHT }, case),
        |case| imitate(&Rules { mean: Mean::Texts(Empty::NotANumber), ..RIGHT }, case),
        |case| imitate(&Rules { mean: Mean::Texts(Empty::Zero), ..RIGHT }, case),
    ],
    cuts: &[],
};
