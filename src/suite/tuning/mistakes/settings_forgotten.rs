//! The settings or the encoder's name are not kept.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "settings-forgotten",
    task: "checkpoint",
    summary: "the settings, or the name of the encoder, are not kept",
    page: "\
## What we saw

The tuned parameters and the names of the classes are kept as they should be. The settings are
not, or the name of the encoder is not what it was.

## Why it is wrong

A tensor called `prefix` does not say how it came about. The settings tell whoever wants to make
the model again which method it was, and with which numbers it was tuned; the encoder's name says
onto which of many encoders of the same sizes it belongs. On another one every shape fits, and
nothing in the file would contradict. What is not written down when it is saved is lost for good,
while the person who knew it still believes it to be in the file.

## Where to look

Go through the fields of `Saved`, one after another: what is in each of them after you saved a
model?
",
    imitations: &[|case| imitate(&Rules { forgets: true, ..RIGHT }, case)],
    cuts: &[],
};
