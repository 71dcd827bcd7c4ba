//! Positions are counted along another axis.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Positions, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "positions-by-the-wrong-index",
    task: "encoder",
    summary: "rows of the positions are taken by example or by token, not by place",
    page: "\
## What we saw

The row that is added does not follow the place in the sequence: it hangs on the number of the
example in its batch, or on the id of the token. Within a text, order does not matter, or the same
text differs between rows of a batch.

## Why it is wrong

The table has one row for each place, and `[B, T]` has two axes to count along. Counted along the
batch, or taken by the ids themselves, the shapes still broadcast and the loss falls; but the model
gets no order, and instead an accident that it has to unlearn. A published notebook sliced its
table by the size of the batch.

## Where to look

Which numbers do you hand to the table, and what do they count? Print them for a batch of two
texts.
",
    imitations: &[
        |case| imitate(&Rules { positions: Positions::ByExample, ..RIGHT }, case),
        |case| imitate(&Rules { positions: Positions::ByToken, ..RIGHT }, case),
    ],
    cuts: &[],
};
