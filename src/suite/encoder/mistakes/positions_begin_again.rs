//! Rows of positions repeat after a while.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Positions, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "positions-begin-again",
    task: "encoder",
    summary: "in long texts, the rows of positions begin again",
    page: "\
## What we saw

Short texts are right. In longer ones, a position gets the row of a position that came before: the
rows begin again from the first.

## Why it is wrong

A position has a row of its own so that the model can tell how far apart two words are, and which of
them comes first. Where rows repeat, the first word and a later one look alike, and word order is
lost across that distance. The table has a row for each position up to its end; none has to serve
twice, and a text that is longer than the table is an error.

## Where to look

How are the places counted that rows are looked up by, and in which type? What is the place of the
last token of a text of three hundred?
",
    imitations: &[|case| {
        imitate(&Rules { positions: Positions::AgainAfterSixteen, ..RIGHT }, case)
    }],
    cuts: &[],
};
