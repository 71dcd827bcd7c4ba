//! Rows that are counted from 1.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-from-one",
    task: "learned-position",
    summary: "rows are counted from 1 instead of 0",
    page: "\
## What we saw

Every position has the row of the one after it: position 0 gets row 1, and so on. Row 0 is never
used. A sequence as long as the table asks for a row that does not exist, and ends in an error.

## Why it is wrong

Within a model that is trained from scratch it makes little difference which row belongs to which
position. But the table is a convention between whoever trained it and whoever uses it: a trained
table that is read one row further on gives each word the place of its neighbour, and the model
answers slightly otherwise, with no error to tell. Some published models do leave rows free at the
start, for padding; this one does not. And the longest text that is allowed no longer fits.

## Where to look

What is the first row that your code takes, and how many does it take? Try a table of 3 rows, whose
row `t` is `t` throughout, with sequences of length 1 and of length 3.
",
    imitations: &[|case| imitate(&Rules { row: Row::NextPosition, ..RIGHT }, case)],
    cuts: &[],
};
