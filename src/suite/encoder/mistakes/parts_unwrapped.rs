//! An error of a part becomes a panic.

use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};
use crate::suite::{Given, Mistake};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "parts-unwrapped",
    task: "encoder-layer",
    summary: "the layer panics where what it is made of returns an error",
    page: "\
## What we saw

Where the heads do not divide the width, what makes the attention returns an error. The layer does
not pass it on but panics.

## Why it is wrong

A constructor that can fail says so by what it returns, and its caller decides what to do: a search
over settings skips the one that does not fit, a program tells its user. A panic ends the thread
instead, and with it a search that ran all night. `unwrap` and `expect` are for what cannot happen;
a setting that does not fit can.

## Where to look

Look at what you do with the results of `below` in `new`. What would the question mark do there?
",
    imitations: &[|case| imitate(&Rules { uneven: Given::Panicked, ..RIGHT }, case)],
    cuts: &[],
};
