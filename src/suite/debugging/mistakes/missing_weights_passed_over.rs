//! A call that shows no weights is left out without a word.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, Unnamed, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "missing-weights-passed-over",
    task: "capture",
    summary: "a call that shows no weights is left out without a word",
    page: "\
## What we saw

A call of the module showed its results under other names, and `during` returned as if it had not
been: no error, and a tensor less than there were calls.

## Why it is wrong

A module that shows no `weights` is not the module that was meant, or its author renamed an output.
Nothing that is computed from the captures can be right then, and the caller has no way to find
out: a list that is too short looks like an epoch with fewer batches. The specification asks for an
error, and `Call::output` has one that names what the module does show.

## Where to look

What does your hook do when `output` returns an error? Can that error reach the caller of `during`?
",
    imitations: &[|case| imitate(&Rules { unnamed: Unnamed::PassedOver, ..RIGHT }, case)],
    cuts: &[],
};
