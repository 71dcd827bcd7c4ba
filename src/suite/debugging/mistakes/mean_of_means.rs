//! Means of the texts are averaged.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{Mean, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mean-of-means",
    task: "statistics",
    summary: "short texts weigh as much as long ones",
    page: "\
## What we saw

Where all texts are equally long, all is right. Otherwise the numbers are off.

## Why it is wrong

A mean of means gives a text of one word the weight of a text of a hundred. Every real query of the
batch is to count once.

## Where to look

Look at how often you divide, and by what.
",
    imitations: &[|case| imitate(&Rules { mean: Mean::Texts, ..RIGHT }, case)],
    cuts: &[],
};
