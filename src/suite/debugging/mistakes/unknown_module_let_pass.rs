//! A wrong name is not told, or told after the epoch.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, Unknown, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "unknown-module-let-pass",
    task: "capture",
    summary: "a module that is not there is no error, or one that comes too late",
    page: "\
## What we saw

For a module that does not exist, the epoch was run. Then an error came, or nothing at all, as if
the module were there and had never been called.

## Why it is wrong

A slip in a name, `layers.1.attention` where there is one layer, costs a whole epoch before it is
told, and the epoch has changed the model by then. Where it is never told, an empty list of captures
is left, which says that the module was not called, and that is something else. `register` knows at
once which modules there are.

## Where to look

Look at what is done with the result of `register`, and at what is done before it.
",
    imitations: &[
        |case| imitate(&Rules { unknown: Unknown::Ignored, ..RIGHT }, case),
        |case| imitate(&Rules { unknown: Unknown::RefusedLate, ..RIGHT }, case),
    ],
    cuts: &[],
};
