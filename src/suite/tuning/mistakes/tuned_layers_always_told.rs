//! An encoder that is always in training.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tuned-layers-always-told",
    task: "partial",
    summary: "the encoder is told that the model learns, even when it does not",
    page: "\
## What we saw

With `train` false and a probability above zero, the encoder drops numbers all the same, while the
head does not. The answer to the same question changes from call to call.

## Why it is wrong

Outside of training a model is asked to do its best with all that it has, and dropout only takes
away. Validation losses come out too high and jump from epoch to epoch; early stopping looks at
nothing else, so that it stops too soon and puts back the wrong epoch.

## Where to look

What does the encoder get as its last argument, and does it come from the caller?
",
    imitations: &[|case| imitate(&Rules { tells: Some(true), ..RIGHT }, case)],
    cuts: &[],
};
