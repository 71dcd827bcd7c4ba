//! Missing words look alike.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{Missing, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "missing-words-alike",
    task: "glove",
    summary: "all missing words get the same row",
    page: "\
## What we saw

Found words are right. Those without a vector all have the same row: zeros, the mean of the found
ones, or the same random numbers for each.

## Why it is wrong

A model can only tell words apart by their vectors. Where all missing words share one, they are one
word to it at the start, and as their gradients differ only by where they stand, they part slowly.
Names and technical terms, which say most about a topic, are just the words that published vectors
lack.

## Where to look

What does the row of a missing word hang on in your code? What should be different from one missing
word to the next?
",
    imitations: &[
        |case| imitate(&Rules { missing: Missing::Zeros, ..RIGHT }, case),
        |case| imitate(&Rules { missing: Missing::Mean, ..RIGHT }, case),
        |case| imitate(&Rules { missing: Missing::Shared, ..RIGHT }, case),
    ],
    cuts: &[],
};
