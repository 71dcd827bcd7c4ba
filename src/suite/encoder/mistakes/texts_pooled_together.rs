//! The mean runs over the batch.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "texts-pooled-together",
    task: "classifier",
    summary: "the mean runs over the examples of the batch instead of the tokens",
    page: "\
## What we saw

What comes out has one row for each place in the sequence, made of all texts of the batch. Where
there are as many texts as places the shape is right by chance, and the numbers are not.

## Why it is wrong

The axes are `[B, T, D]`, and the mean is to make one vector of each text. Along the batch it makes
one of each place: all first words, all second words. Row 3 is then taken for text 3 and gets its
label, which has nothing to do with it. If the sizes agree in training, the loss can fall all the
same.

## Where to look

Write the number of each axis below its letter. Which number do you hand to the sum?
",
    imitations: &[|case| imitate(&Rules { pools: Pools::OverExamples, ..RIGHT }, case)],
    cuts: &[],
};
