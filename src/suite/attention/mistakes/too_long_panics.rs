//! A panic at sequences that are too long.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, TooLong, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "too-long-panics",
    task: "sinusoidal-position",
    summary: "a sequence longer than max_len ends in a panic instead of an error",
    page: "\
## What we saw

A sequence that is longer than `max_len` makes `encode` panic. All shorter ones are right.

## Why it is wrong

How long a sequence is depends on data, and data is never quite what one expects: somewhere there
is the text that nobody cut. A function that returns a `Result` promises that this can be dealt
with, by leaving the text out, by cutting it, or by a message that says how long it was and how
long it may be. A panic takes the decision away, and with it the whole run, perhaps hours into it.
Slices with a range, indexing with brackets, `unwrap`, and subtractions of unsigned numbers all
panic in this way.

## Where to look

The message of the panic names a line. What is taken from what there, and up to which end? Where
do you know both the length of the sequence and that of the table, and what does the signature
allow you to say there?
",
    imitations: &[|case| imitate(&Rules { too_long: TooLong::Panics, ..RIGHT }, case)],
    cuts: &[],
};
