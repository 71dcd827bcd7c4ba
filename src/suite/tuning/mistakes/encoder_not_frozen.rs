//! The encoder learns too.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-not-frozen",
    task: "prefix",
    summary: "gradients reach the encoder, which should stay as it is",
    page: "\
## What we saw

Every logit is right. Gradients arrive at the prefix and at the head, and at every parameter of
the encoder as well.

## Why it is wrong

The point of a prefix is how little is trained: a few thousand numbers beside millions that stay
as they are, so that one encoder serves many tasks and a checkpoint is a small file. Here
everything is trained. It takes several times the time and the memory, a small training set is
soon learned by heart, and the file that holds the prefix and the head does not give the model
back, since the encoder that it was trained with is gone.

## Where to look

Where is the encoder made, and of which builder? What in that line says that its parameters do not
learn?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, _| false],
};
