//! Padding has a vector that learns.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-row-used",
    task: "encoder",
    summary: "the row of padding counts as it stands in the table, and learns",
    page: "\
## What we saw

Texts without padding are right. Where id 0 occurs, the first row of the table is added, which
should count as zeros, and a gradient arrives at it.

## Why it is wrong

Padding means nothing, and a vector for nothing should be nothing. Where it is a row like any
other, it is random at first and then learns whatever little leaks from it. Any later part that
forgets its mask then finds numbers there that look like a word. Zeros, never trained, make such
mistakes harmless and visible.

## Where to look

Which function makes your token embedding, and what does it know of id 0? The documentation of
Encoder names one that does.
",
    imitations: &[|case| imitate(&Rules { clears_padding: false, ..RIGHT }, case)],
    cuts: &[],
};
