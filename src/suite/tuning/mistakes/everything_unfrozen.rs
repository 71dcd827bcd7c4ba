//! The whole encoder learns.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "everything-unfrozen",
    task: "partial",
    summary: "the whole encoder learns, its tables and its norm included",
    page: "\
## What we saw

Every logit is right. Gradients arrive at the head and at the last layers, and at all others as
well: at every layer, at the tables and at the norm of the embedding.

## Why it is wrong

Most of an encoder's parameters stand in its tables, and a training set of a few thousand texts
meets only some of the words. Those move and the rest do not, so that words which meant nearly the
same no longer do. The model has more to learn by heart with, training takes more time and memory,
and the file that keeps the last layers and the head does not give the model back.

## Where to look

Which builder is the encoder made of? What in that line tells its parameters apart by their names?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, _| false],
};
