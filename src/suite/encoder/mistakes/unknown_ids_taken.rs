//! Unknown ids are taken for known ones.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Beyond, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "unknown-ids-taken",
    task: "encoder",
    summary: "an id beyond the vocabulary is taken for another token",
    page: "\
## What we saw

An id that has no row in the table is answered as if it were the last token, or counted on from the
start, where an error is due.

## Why it is wrong

An id beyond the vocabulary means that tokenizer and model do not belong together. Every text then
holds wrong words, and the only sign of it is that the model is worse than it should be. An error
at the first such id costs a minute; a model that was trained and tested over weeks on the wrong
vocabulary costs the weeks.

## Where to look

What becomes of an id that is too large on its way to the table? What would tell its caller?
",
    imitations: &[
        |case| imitate(&Rules { unknown: Beyond::Clamped, ..RIGHT }, case),
        |case| imitate(&Rules { unknown: Beyond::Wrapped, ..RIGHT }, case),
    ],
    cuts: &[],
};
