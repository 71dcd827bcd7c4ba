//! The names of the classes are not kept.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{Labels, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "labels-lost",
    task: "checkpoint",
    summary: "a checkpoint is saved without the names of the classes",
    page: "\
## What we saw

The tuned parameters are kept as they should be. The list of the names of the classes is empty
when it is saved.

## Why it is wrong

What comes out of a classifier is the number of a class, and which one that is stands nowhere in
its parameters. Whoever trained it still knows; whoever loads it in a year has six logits and a
guess. It is the kind of thing that works as long as saving and using it happen in the same
program, where the names are still at hand, and fails the first time that they do not.

## Where to look

Go through the fields of `Saved`. Which do you fill in, and which are left to a default? What
would somebody need who has nothing but this file?
",
    imitations: &[|case| imitate(&Rules { labels: Labels::Lost, ..RIGHT }, case)],
    cuts: &[],
};
