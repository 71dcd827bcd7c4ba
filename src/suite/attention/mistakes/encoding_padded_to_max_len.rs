//! A sequence stretched to the length of the table.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoding-padded-to-max-len",
    task: "sinusoidal-position",
    summary: "the output is padded to max_len positions",
    page: "\
## What we saw

The output has the shape `[B, max_len, D]`: behind the sequence there are further positions, at
which sines and cosines stand alone. A sequence as long as the table is right.

## Why it is wrong

A sum needs two shapes that fit, and there are two ways to make them fit: to cut the longer, or to
stretch the shorter. Stretched, every sentence becomes as long as the longest that there could be.
What was added is no text, yet the layers above take it for such, since the mask that came with
the sentence does not reach that far; where a mask is used at all, its shape no longer fits. And
attention costs the square of the length, so a short sentence becomes as dear as a long one.

## Where to look

What shape goes into `encode`, which comes out, and what does the documentation of the trait say?
Which of the two in your sum was too long?
",
    imitations: &[|case| imitate(&Rules { combine: Combine::AddToPadded, ..RIGHT }, case)],
    cuts: &[],
};
