//! A panic for ids that no row belongs to.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, Unknown, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "unknown-words-panic",
    task: "classifier",
    summary: "an id beyond the vocabulary ends in a panic instead of an error",
    page: "\
## What we saw

Ids that are in the table are right. An id beyond it ends in a panic, where an error should be
returned.

## Why it is wrong

An id that no row belongs to means that the text was encoded with another vocabulary than the
model was made for. The caller has to learn of it, and to decide: leave the text out, or stop with a
message that says which one it was. A panic takes that decision away: a server ends over one
request. The signature of `forward` has a place for an error.

## Where to look

Which line panics, and what does it take for granted? Look for `unwrap`, `expect`, `assert` and
indexing with brackets between `ids` and the table.
",
    imitations: &[|case| imitate(&Rules { unknown: Unknown::Panicked, ..RIGHT }, case)],
    cuts: &[],
};
