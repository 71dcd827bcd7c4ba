//! Tensors of another shape are left out.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "misfits-taken",
    task: "checkpoint",
    summary: "a tensor of another shape than its parameter is left out without an error",
    page: "\
## What we saw

A checkpoint that fits is loaded as it should be. One with a tensor of another shape than its
parameter is loaded without that tensor, and no error says so.

## Why it is wrong

A shape that does not fit is the clearest sign that two models differ: in the number of classes,
in the length of the prefix, in the width. To leave the tensor out makes the error go away and
leaves a parameter that was never tuned among those that were. The usual case is a head for
another number of classes: it stays random, and the model guesses, with a prefix that was tuned
well.

## Where to look

What becomes of a tensor whose shape is another one: which branch of your code does it end in, and
what does the caller hear of it?
",
    imitations: &[|case| imitate(&Rules { takes_misfits: true, ..RIGHT }, case)],
    cuts: &[],
};
