//! Rows of the positions are off.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Positions, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "positions-off",
    task: "encoder",
    summary: "places get another row of the position table than their own",
    page: "\
## What we saw

Every place gets a row of the table, but not its own: the next one, all of them the first, or rows
that are counted from the end of the text or of the table.

## Why it is wrong

Counted from one, the first row is never used, and the longest text has one row too few: what then
stands at the last place is an accident. And where all places get one row, positions are there by
name only, since adding the same to every token tells none of them where it stands. Counted from an
end, a word's row depends on what comes after it, or on how long texts may be.

## Where to look

What is the first number that you ask the table for, and what the last, in a text of `max_len`
tokens? An encoder without layers shows the rows bare.
",
    imitations: &[
        |case| imitate(&Rules { positions: Positions::FromOne, ..RIGHT }, case),
        |case| imitate(&Rules { positions: Positions::FirstRow, ..RIGHT }, case),
        |case| imitate(&Rules { positions: Positions::Backwards, ..RIGHT }, case),
        |case| imitate(&Rules { positions: Positions::FromEnd, ..RIGHT }, case),
    ],
    cuts: &[],
};
