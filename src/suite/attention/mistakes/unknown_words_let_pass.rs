//! Ids without a row.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, Unknown, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "unknown-words-let-pass",
    task: "classifier",
    summary: "an id beyond the vocabulary is answered as if it were another word",
    page: "\
## What we saw

Ids that are in the table are right. An id beyond it, which should be an error, gets another
word's row.

## Why it is wrong

An id that no row belongs to means that the text was encoded with another vocabulary than the
model was made for. Then the other ids are wrong as well, and the only sign of it is this one. To
take the last row instead, or to count on from the start, hides the sign: the model answers with
confidence about a text that it cannot read. The signature of `forward` has a place for an error.

## Where to look

What happens to `ids` before the lookup, and which line would notice a number that is too large?
Does what it says reach your caller?
",
    imitations: &[
        |case| imitate(&Rules { unknown: Unknown::LastRow, ..RIGHT }, case),
        |case| imitate(&Rules { unknown: Unknown::Wrapped, ..RIGHT }, case),
    ],
    cuts: &[],
};
