//! A panic at sequences that are too long.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, TooLong, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-too-long-panics",
    task: "learned-position",
    summary: "a sequence longer than the table ends in a panic instead of an error",
    page: "\
## What we saw

A sequence that is longer than the table makes `encode` panic. All shorter ones are right.

## Why it is wrong

A learned table ends, and sequences come from data, so this will happen one day: with the first
text that nobody cut. The signature of `encode` returns a `Result` so that the caller can decide
what to do then, and can say how long the text was. A panic decides for everyone, and ends a
training run or a server along with it. Assertions are for what can only be wrong if the program
itself is; the length of a text is not of that kind. Index brackets, slices with a range and
`unwrap` are assertions too, without the word.

## Where to look

Which line does the message of the panic name? What does that line know, and could it say the same
by returning? Candle refuses to cut rows beyond the end by itself; was that error turned into a
panic on its way?
",
    imitations: &[|case| imitate(&Rules { too_long: TooLong::Panics, ..RIGHT }, case)],
    cuts: &[],
};
