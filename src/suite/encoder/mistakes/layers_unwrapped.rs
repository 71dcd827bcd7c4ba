//! A panic in place of an error from what makes the layers.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layers-unwrapped",
    task: "encoder",
    summary: "the encoder panics where what makes its layers returns an error",
    page: "\
## What we saw

Where the heads do not divide the width, what makes a layer returns an error. The encoder does
not pass it on but panics.

## Why it is wrong

A function that can fail says so by what it returns, and its caller decides what to do: a search
over settings skips the one that does not fit, a program tells its user. A panic ends the thread
instead, and with it a search that ran all night. `unwrap` and `expect` are for what cannot
happen; what comes from outside can.

## Where to look

Look at what you do with the results of `below` in `new`. What would the question mark do there?
",
    imitations: &[|case| imitate(&Rules { unwraps: true, ..RIGHT }, case)],
    cuts: &[],
};
