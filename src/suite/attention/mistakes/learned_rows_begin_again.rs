//! A table of positions that begins again before its end.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-rows-begin-again",
    task: "learned-position",
    summary: "in long sequences, the rows of positions begin again",
    page: "\
## What we saw

Short sequences are right. In longer ones, although the table has a row for every position, a
position gets the row of an earlier one: the rows begin again from the first.

## Why it is wrong

A position has a row of its own so that attention can tell how far apart two words are, and which of
them comes first. Where rows repeat, a word and a later one look alike, and word order is lost
across that distance. With the short texts of a first try nothing shows.

## Where to look

How are positions counted in your code, up to which number, and in which type? What is the row of
position 300?
",
    imitations: &[
        |case| imitate(&Rules { row: Row::AgainAfter(16), ..RIGHT }, case),
        |case| imitate(&Rules { row: Row::AgainAfter(32), ..RIGHT }, case),
        |case| imitate(&Rules { row: Row::AgainAfter(64), ..RIGHT }, case),
        |case| imitate(&Rules { row: Row::AgainAfter(100), ..RIGHT }, case),
        |case| imitate(&Rules { row: Row::AgainAfter(128), ..RIGHT }, case),
        |case| imitate(&Rules { row: Row::AgainAfter(256), ..RIGHT }, case),
    ],
    cuts: &[],
};
