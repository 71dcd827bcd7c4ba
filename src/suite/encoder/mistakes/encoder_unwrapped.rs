//! A panic in place of an error from the encoder.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-unwrapped",
    task: "classifier",
    summary: "the classifier panics where its encoder returns an error",
    page: "\
## What we saw

Where the encoder returns an error, for an id beyond the vocabulary or a text that is too long,
the classifier does not pass it on but panics.

## Why it is wrong

A function that can fail says so by what it returns, and its caller decides what to do: a search
over settings skips the one that does not fit, a program tells its user. A panic ends the thread
instead, and with it a search that ran all night. `unwrap` and `expect` are for what cannot
happen; what comes from outside can.

## Where to look

Look at what you do with what the encoder returns in `forward`. What would the question mark do
there?
",
    imitations: &[|case| imitate(&Rules { unwraps: true, ..RIGHT }, case)],
    cuts: &[],
};
