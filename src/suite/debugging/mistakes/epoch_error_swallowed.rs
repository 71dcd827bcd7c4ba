//! An epoch that fails looks like one that went well.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "epoch-error-swallowed",
    task: "capture",
    summary: "an error of the epoch is lost",
    page: "\
## What we saw

The epoch returned an error, and `during` returned captures as if nothing had happened.

## Why it is wrong

Whoever reads these captures takes half an epoch for a whole one. An error that is not passed on is
an error that nobody hears of.

## Where to look

Look at what becomes of the result of `epoch`.
",
    imitations: &[|case| imitate(&Rules { passes_errors: false, ..RIGHT }, case)],
    cuts: &[],
};
