//! A checkpoint of another encoder is taken.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "other-encoder-taken",
    task: "checkpoint",
    summary: "a checkpoint that was tuned on another encoder is no error",
    page: "\
## What we saw

A checkpoint that fits is loaded as it should be. One that names another encoder than the model's
is loaded as well.

## Why it is wrong

Many encoders have the same sizes: cased and uncased, in English and in another language, one
version and the next. All shapes fit, and so nothing but the name tells them apart. A prefix is a
few vectors that mean something to the encoder that they were tuned on; before another one they
are noise, and the model answers at random with great confidence. The name is in the checkpoint
for this one comparison.

## Where to look

Which fields of the checkpoint and of the fresh model does your code compare when it loads? Which
field do both have that says what stands below?
",
    imitations: &[|case| imitate(&Rules { takes_other_base: true, ..RIGHT }, case)],
    cuts: &[],
};
