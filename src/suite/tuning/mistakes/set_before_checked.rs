//! Parameters are set before everything is known to fit.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Refusal, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "set-before-checked",
    task: "checkpoint",
    summary: "a checkpoint is refused after some of its tensors were already set",
    page: "\
## What we saw

What does not fit is refused, as it should be. But by then parameters were set: those that come
before what is wrong, or all that fit.

## Why it is wrong

Whoever gets an error believes that nothing happened, tries another checkpoint, or goes on with
the model as it was. Here it is no longer as it was: some of its parameters are those of a
checkpoint that was refused, and others are not. Nothing says so, and no second attempt puts it
right, because the next checkpoint may well fit and set fewer of them. Whatever can fail has to
come before whatever changes something.

## Where to look

Mark the lines of your code that can end in an error, and those that change a parameter. Does a
line of the first kind come after one of the second, in the same turn of a loop or in a later one?
Note that setting can fail as well.
",
    imitations: &[
        |case| imitate(&Rules { refusal: Refusal::OnTheWay, ..RIGHT }, case),
        |case| imitate(&Rules { refusal: Refusal::Last, ..RIGHT }, case),
    ],
    cuts: &[],
};
