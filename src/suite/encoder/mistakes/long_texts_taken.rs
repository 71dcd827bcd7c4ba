//! Texts that are too long.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Beyond, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "long-texts-taken",
    task: "encoder",
    summary: "a sequence longer than the position table is taken all the same",
    page: "\
## What we saw

A sequence that is longer than `max_len` gets an answer: its last places share a row of the table,
or begin again with the first.

## Why it is wrong

A place without a row has no position, and whatever it gets in its stead is another place's. The
text is answered, and its end is read as its beginning. Who is to cut a text, and where, is for the
caller to decide, who knows which part matters; an encoder that is handed too much says so by an
error.

## Where to look

What is asked of the table beyond its last row? Compare the length with `max_len` before anything
is looked up.
",
    imitations: &[
        |case| imitate(&Rules { too_long: Beyond::Clamped, ..RIGHT }, case),
        |case| imitate(&Rules { too_long: Beyond::Wrapped, ..RIGHT }, case),
    ],
    cuts: &[],
};
