//! Frozen parameters are set.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "frozen-tensors-taken",
    task: "checkpoint",
    summary: "a tensor of a frozen parameter is no error, and is set",
    page: "\
## What we saw

A checkpoint that fits is loaded as it should be. One with a tensor of a parameter that is frozen
here is loaded as well, and changes the frozen parameter.

## Why it is wrong

The encoder below is shared: several tuned models stand on the same one, and each trusts that it
is the one that was published. A checkpoint that changes it changes all of them. That it has such
a tensor at all shows that it was tuned in another way, with more layers than here; and a model
that is half one way and half the other was never validated by anyone. So this is refused, with
the name of the tensor.

## Where to look

A name of the checkpoint can be unknown to the model, frozen in it, or tuned in it. Which of these
three do you tell apart, and what is asked of `learns` when you load?
",
    imitations: &[|case| imitate(&Rules { takes_frozen: true, ..RIGHT }, case)],
    cuts: &[],
};
