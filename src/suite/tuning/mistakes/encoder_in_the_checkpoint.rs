//! The frozen encoder is kept too.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-in-the-checkpoint",
    task: "checkpoint",
    summary: "everything is kept, the frozen encoder included",
    page: "\
## What we saw

Every tuned parameter is kept as it should be, and every frozen one as well.

## Why it is wrong

Whoever loads a checkpoint has the encoder already: it is published, and the same for every task.
What was tuned is a hundredth of it. With the encoder in each checkpoint, twenty tasks take twenty
times the space of the whole model. And it is no longer to be seen what was tuned: a checkpoint
that holds everything cannot be told from one of a model that was tuned throughout, and a loader
that refuses frozen tensors has to refuse it.

## Where to look

Which parameters go into what you keep, and who decides it? What does `learns` say about each of
them?
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Everything, ..RIGHT }, case)],
    cuts: &[],
};
