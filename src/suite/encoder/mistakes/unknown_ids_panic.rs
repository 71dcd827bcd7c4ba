//! Unknown ids panic.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Beyond, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "unknown-ids-panic",
    task: "encoder",
    summary: "an id beyond the vocabulary is a panic instead of an error",
    page: "\
## What we saw

An id that has no row in the table ends in a panic; the documentation asks for an error.

## Why it is wrong

An error is a value: the caller can say which text it was, leave it out or stop with a message. A
panic unwinds through whatever is running, takes the thread with it and says something about an
index. Input that comes from elsewhere, such as ids from a tokenizer, is just what errors are for.

## Where to look

Which line panics, and what does it take for granted? Look for `unwrap`, `expect`, `assert` and
indexing with brackets.
",
    imitations: &[|case| imitate(&Rules { unknown: Beyond::Panicked, ..RIGHT }, case)],
    cuts: &[],
};
