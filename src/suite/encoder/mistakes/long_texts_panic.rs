//! A panic for texts that are too long.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Beyond, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "long-texts-panic",
    task: "encoder",
    summary: "a sequence longer than the position table ends in a panic instead of an error",
    page: "\
## What we saw

A sequence that is longer than `max_len` ends in a panic; the documentation asks for an error.

## Why it is wrong

An error is a value: the caller can say which text it was, cut it or leave it out. A panic unwinds
through whatever is running, takes the thread with it and says something about an index or a shape.
How long a text is depends on whoever wrote it, and that is just what errors are for.

## Where to look

Which line panics, and what does it take for granted? Look for `unwrap`, `expect`, `assert` and
indexing with brackets where the length meets the table.
",
    imitations: &[|case| imitate(&Rules { too_long: Beyond::Panicked, ..RIGHT }, case)],
    cuts: &[],
};
