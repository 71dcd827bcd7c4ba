//! The last rows of the table.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoding-rows-from-end",
    task: "sinusoidal-position",
    summary: "rows are taken from the end of the table",
    page: "\
## What we saw

A sequence of length `T` gets the last `T` rows of the table, in the right order. Where the
sequence is as long as the table, everything is right.

## Why it is wrong

With this, the row of a word depends on how long the sentence is and on `max_len`: the first word
of a short text gets the row of a position far along, and the first word of a long one a row near
the beginning. Two models that differ in `max_len` alone encode the same sentence differently,
although the formula does not contain that number at all. Distances within a sentence are right,
which makes it hard to notice. The documentation of the trait says that position `t` gets row `t`.

## Where to look

Where does the cut through your table begin, and does that depend on the length of the sequence?
Encode zeros of length 1 and 2 with the same `max_len`: what should position 0 be in both?
",
    imitations: &[|case| imitate(&Rules { row: Row::FromEnd, ..RIGHT }, case)],
    cuts: &[],
};
