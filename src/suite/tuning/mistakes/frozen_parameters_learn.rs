//! Frozen parameters learn.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Frozen, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "frozen-parameters-learn",
    task: "loop",
    summary: "parameters that should stay as they are get steps like all others",
    page: "\
## What we saw

Parameters of which `learns` says no were changed by the optimizer: by their gradients where they
have some, and by the weight decay where those are zero.

## Why it is wrong

That the encoder stays as it was is the whole point: one encoder serves many tasks, and a
checkpoint keeps only what was tuned. When the loop moves the frozen parameters as well, the model
that was validated is not the one that is loaded later, which has the encoder as it was published.
Nothing shows it in training, where the losses even look better; the accuracy is simply gone when
somebody else loads the checkpoint.

## Where to look

Which map of parameters does the optimizer get? Where in your loop is `learns` asked, and about
which names?
",
    imitations: &[|case| imitate(&Rules { frozen: Frozen::Learn, ..RIGHT }, case)],
    cuts: &[],
};
