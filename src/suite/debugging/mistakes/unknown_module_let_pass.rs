//! A wrong name is not told, or told after the epoch.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, Unknown, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "unknown-module-let-pass",
    task: "capture",
    summary: "a module that is not there is no error, or one that comes too late",
    page: "\
## What we saw

For a module that does not exist the epoch was run: then an error came, or nothing at all, as if the
module had never been called.

## Why it is wrong

A slip in a name costs a whole epoch before it is told, or is never told. `register` knows at once.

## Where to look

Look at what is done with the result of `register`, and at what is done first.
",
    imitations: &[
        |case| imitate(&Rules { unknown: Unknown::Ignored, ..RIGHT }, case),
        |case| imitate(&Rules { unknown: Unknown::RefusedLate, ..RIGHT }, case),
    ],
    cuts: &[],
};
