//! The last rows of the table.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-rows-from-end",
    task: "learned-position",
    summary: "rows are taken from the end of the table",
    page: "\
## What we saw

A sequence of length `T` gets the last `T` rows of the table, in the right order. Where the
sequence is as long as the table, everything is right.

## Why it is wrong

With this, the row of a word depends on how long the sentence is: the first word of a short text
gets a row from the far end of the table, and the first word of a long one a row near its
beginning. A row then means \"so many words before the end\", and no longer \"so many words after
the start\". This can be meant in a model that reads up to the present, but here the documentation
says that row `t` belongs to position `t`. A trained table read this way gives each length a
meaning of its own.

## Where to look

Where does the cut through your table begin, and does that depend on the length of the sequence?
Try a table of 5 rows, whose row `t` is `t` throughout, with sequences of length 1, 2 and 5.
",
    imitations: &[|case| imitate(&Rules { row: Row::FromEnd, ..RIGHT }, case)],
    cuts: &[],
};
