//! The head alone is kept.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-not-kept",
    task: "checkpoint",
    summary: "only the head is kept, not what else was tuned",
    page: "\
## What we saw

The head's weight and bias are kept as they should be. What else was tuned is not: neither a
prefix nor a layer of the encoder.

## Why it is wrong

The head is what one adds to an encoder, so it is the first thing that comes to mind; but it is
the smaller part of what was learned. It was tuned together with a prefix, or with the last
layers, and knows what to make of features that these brought about. Put onto a fresh encoder it
gets others, and the accuracy is hardly above chance. A loader that is careful refuses such a
checkpoint, as it lacks parameters that are tuned.

## Where to look

Which names are among what you keep when a prefix was tuned, and which when a layer was? What does
`learns` say about each?
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Head, ..RIGHT }, case)],
    cuts: &[],
};
