//! Tensors that no parameter is called are passed over.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "strangers-taken",
    task: "checkpoint",
    summary: "a tensor whose name no parameter has is no error",
    page: "\
## What we saw

A checkpoint that fits is loaded as it should be. One with a tensor more, whose name no parameter
of the model has, is loaded as well, as if the tensor were not there.

## Why it is wrong

Somebody tuned and saved that tensor because the model needed it. If this model has no place for
it, then it is another model: a head with a layer more, a pooler that this one does not have. What
is loaded then computes something else than what was validated, with the same parameters otherwise
and no word about it. Often it is a mere change of a name, and then the parameter that was meant
is missing as well.

## Where to look

What does your code do with a name of the checkpoint that it does not find in the model? Does it
come upon such names at all?
",
    imitations: &[|case| imitate(&Rules { takes_strangers: true, ..RIGHT }, case)],
    cuts: &[],
};
