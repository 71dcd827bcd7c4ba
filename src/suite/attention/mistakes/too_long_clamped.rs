//! One row for all positions beyond the end.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, TooLong, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "too-long-clamped",
    task: "sinusoidal-position",
    summary: "beyond max_len, every position gets the last row",
    page: "\
## What we saw

A sequence that is longer than `max_len` is encoded all the same: each position beyond it gets the
encoding of the last one. All shorter sequences are right.

## Why it is wrong

Positions with the same encoding are the same position to attention: the order of everything behind
`max_len` is lost. That the numbers themselves are ordinary makes it harder to notice. The
documentation of the trait asks for an error, so that whoever cuts texts to length learns that one
was missed.

## Where to look

Look for a minimum or a clamp in the computation of row numbers. What was it to keep from happening,
and who should have been told? Try `max_len = 3` and a sequence of 4.
",
    imitations: &[|case| imitate(&Rules { too_long: TooLong::Clamped, ..RIGHT }, case)],
    cuts: &[],
};
