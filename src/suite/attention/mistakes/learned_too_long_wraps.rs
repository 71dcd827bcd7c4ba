//! A table of positions that begins again at its end.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, TooLong, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-too-long-wraps",
    task: "learned-position",
    summary: "beyond the table, positions get its rows from the first one on again",
    page: "\
## What we saw

A sequence that is longer than the table is answered all the same: the first position beyond it gets
row 0, the next one row 1, and so on. All shorter sequences are right.

## Why it is wrong

Two positions with the same row are one position to attention: what stands at the start of a text
and what stands beyond the table cannot be told apart, and the first rows are trained on a mixture
of both. A text that is too long is an error, so that whoever cuts texts to length learns that one
was missed; the documentation of the trait asks for that error.

## Where to look

Look for a remainder or a repetition in the computation of row numbers. What was it to keep from
happening, and who should have been told? Try a table of 3 rows with a sequence of 4.
",
    imitations: &[|case| imitate(&Rules { too_long: TooLong::Wraps, ..RIGHT }, case)],
    cuts: &[],
};
