//! An encoding that has no part in the output.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoding-never-added",
    task: "sinusoidal-position",
    summary: "the encoding has no part in the output",
    page: "\
## What we saw

The output is the input, unchanged: neither a sine nor a cosine is added to it anywhere.

## Why it is wrong

Attention treats its keys as a set: whatever order they stand in, the result is the same. The
encoding is the only thing in the model that says which word comes first (section 3.5 of Vaswani
et al. 2017), and without it \"dog bites man\" and \"man bites dog\" are one sentence. Nothing fails
because of that: shapes fit, the loss falls, and for many texts a bag of words is good enough, so
that it may never be noticed.

## Where to look

Follow the table from `new` into `encode`. Where do it and `x` meet, and what becomes of the
result? An operation of candle returns a new tensor and leaves the old ones as they are. Does the
compiler warn of a field that is never read, or is what is added perhaps a table of zeros?
",
    imitations: &[|case| imitate(&Rules { combine: Combine::Omit, ..RIGHT }, case)],
    cuts: &[],
};
