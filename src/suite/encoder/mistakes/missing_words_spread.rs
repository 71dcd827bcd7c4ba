//! Random rows of another spread.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{Missing, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "missing-words-spread",
    task: "glove",
    summary: "random rows are not spread as the found ones are",
    page: "\
## What we saw

Found words are right, and missing ones get random numbers of their own, but too large or too small
ones: their standard deviation is not that of the found numbers.

## Why it is wrong

Vectors of one table should be of one size. Random rows that are much larger than the published
ones drown them in every mean and every attention score; much smaller ones hardly count. How large
published numbers are differs from file to file, so no constant is right for all. And numbers
between −σ and σ have a deviation of less than σ.

## Where to look

Which number decides how far your random numbers reach? Compute the deviation of a few of them and
hold it against that of the found rows.
",
    imitations: &[
        |case| imitate(&Rules { missing: Missing::Fixed(1.0), ..RIGHT }, case),
        |case| imitate(&Rules { missing: Missing::WithinDeviation, ..RIGHT }, case),
        |case| imitate(&Rules { missing: Missing::Fixed(0.1), ..RIGHT }, case),
        |case| imitate(&Rules { missing: Missing::Fixed(0.02), ..RIGHT }, case),
    ],
    cuts: &[],
};
