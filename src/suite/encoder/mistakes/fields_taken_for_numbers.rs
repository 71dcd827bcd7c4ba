//! Fields that are no numbers.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Ragged, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "fields-taken-for-numbers",
    task: "glove",
    summary: "a field that is no finite number is no error",
    page: "\
## What we saw

Text where a number should be, or `NaN`, or an infinity, is no error: it becomes a number in the
table, or the line is skipped.

## Why it is wrong

A single `NaN` in a table reaches the loss as soon as its word occurs, and from there every
parameter. Text where a number should be means that the file is not what it is taken for. Rust's
own parsing takes `NaN` and `inf` for numbers, so that asking whether it succeeded is not enough.

## Where to look

What becomes of each way in which parsing a field can go wrong, and of what it gives when it goes
right?
",
    imitations: &[
        |case| imitate(&Rules { takes_not_finite: true, ..RIGHT }, case),
        |case| imitate(&Rules { no_number: Ragged::Fitted, ..RIGHT }, case),
        |case| imitate(&Rules { no_number: Ragged::Skipped, ..RIGHT }, case),
    ],
    cuts: &[],
};
