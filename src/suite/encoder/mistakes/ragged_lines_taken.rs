//! Ragged lines.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Ragged, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "ragged-lines-taken",
    task: "glove",
    summary: "a line of another width is skipped or made to fit instead of refused",
    page: "\
## What we saw

A line with a number too many or too few is no error: it is skipped, cut or filled up.

## Why it is wrong

A line of another width means that the file is of another width than the model, that it was cut off
on the way, or that words contain spaces. Skipped silently, every line may be skipped, and the
model starts from nothing; made to fit, the numbers stand in the wrong channels. An error with the
number of the line costs a look at the file.

## Where to look

How many numbers do you expect on a line, and where do you compare? What does your caller learn?
",
    imitations: &[
        |case| imitate(&Rules { ragged: Ragged::Skipped, ..RIGHT }, case),
        |case| imitate(&Rules { ragged: Ragged::Fitted, ..RIGHT }, case),
    ],
    cuts: &[],
};
