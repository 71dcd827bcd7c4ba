//! An epoch that fails looks like one that went well.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Errors, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "epoch-error-swallowed",
    task: "capture",
    summary: "an error of the epoch is lost",
    page: "\
## What we saw

The epoch returned an error after some of its calls. `during` returned captures, as if nothing had
happened.

## Why it is wrong

Whoever reads these captures takes half an epoch for a whole one, and draws a heat map of a training
that never ended. The error said what went wrong: a shape that did not fit, a file that was not
there. Where it is not passed on, nobody ever hears of it, and the search begins at the picture
instead of at its cause.

## Where to look

Look at what becomes of the result of `epoch`: of the call itself, and at the end of your function.
Does the compiler warn of a result that is not used?
",
    imitations: &[|case| imitate(&Rules { errors: Errors::Swallowed, ..RIGHT }, case)],
    cuts: &[],
};
