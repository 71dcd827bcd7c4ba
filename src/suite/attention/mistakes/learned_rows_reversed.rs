//! Rows in the opposite order.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-rows-reversed",
    task: "learned-position",
    summary: "rows are handed out from the last position to the first",
    page: "\
## What we saw

A sequence of length `T` gets the first `T` rows of the table, in the opposite order: the last
position has row 0. A sequence of length 1 is right, and for odd lengths so is the one in the
middle.

## Why it is wrong

Which row the first word gets depends on the length of its sentence: row 4 in a sentence of five
words, row 9 in one of ten. A row then tells the distance to the end, and with padding at the end,
to the end of the padding. Trained from scratch the model may cope; with a table that was trained
as the documentation says, row `t` for position `t`, each sentence is read backwards.

## Where to look

Is there something in your code that turns an order round, such as `rev`, a subtraction from the
length, or an index that counts down? What did it have to make up for? Try a table whose row `t`
is `t` throughout.
",
    imitations: &[|case| imitate(&Rules { row: Row::Backwards, ..RIGHT }, case)],
    cuts: &[],
};
