//! Rows in the opposite order.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoding-rows-reversed",
    task: "sinusoidal-position",
    summary: "rows are handed out from the last position to the first",
    page: "\
## What we saw

A sequence of length `T` gets the first `T` rows of sines and cosines in the opposite order: the
last position has the row of position 0. A sequence of length 1 is right, and for odd lengths so
is the position in the middle.

## Why it is wrong

Which row a word gets then depends on the length of its sentence: the first word has row 4 in a
sentence of five words, and row 9 in one of ten. Distances between words are what they should be,
so a model that is trained this way learns something, but a row tells the distance to the end, and
with padding at the end, to the end of the padding. The documentation of the trait gives position
`t` row `t`, and so do all weights that were trained elsewhere.

## Where to look

Is there something in your code that turns an order round, such as `rev`, a subtraction from the
length, or an index that counts down? What does position 0 get in a sequence of three?
",
    imitations: &[|case| imitate(&Rules { row: Row::Backwards, ..RIGHT }, case)],
    cuts: &[],
};
