//! A table that begins again.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, TooLong, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "too-long-wraps",
    task: "sinusoidal-position",
    summary: "beyond max_len, positions begin again at 0",
    page: "\
## What we saw

A sequence that is longer than `max_len` is encoded with rows that were used before: position
`max_len` gets the row of position 0 again. All shorter sequences are right.

## Why it is wrong

Two positions with the same encoding are the same position to attention: the first word after the
end stands, as far as the model can tell, where the first word of all stands, and the two are
mixed up. That the formula has sines in it does not make this right; their wave lengths are
chosen so that no position repeats another within any text. The documentation of the trait asks
for an error, so that whoever cuts texts to length learns that one was missed.

## Where to look

Look for an operation that brings a position back into the table: a remainder, a repetition. What
was it to keep from happening, and who should have been told? Try `max_len = 3` and a sequence of
4.
",
    imitations: &[|case| imitate(&Rules { too_long: TooLong::Wraps, ..RIGHT }, case)],
    cuts: &[],
};
