//! The encoder is not told what `train` is.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-told-otherwise",
    task: "classifier",
    summary: "the encoder is told a constant instead of whether the model learns",
    page: "\
## What we saw

In training and outside of it the encoder behaves alike: it never drops anything, or it always
does.

## Why it is wrong

`train` comes in at the top and has to be handed down, part by part; a constant here decides for
the whole model. Told `false`, dropout is off in training, and the model learns its examples by
heart. Told `true`, it is on when the model is judged: validation accuracies are too low and differ
from run to run, and predictions change from one call to the next.

## Where to look

What does the encoder get as its third argument?
",
    imitations: &[
        |case| imitate(&Rules { tells: Some(false), ..RIGHT }, case),
        |case| imitate(&Rules { tells: Some(true), ..RIGHT }, case),
    ],
    cuts: &[],
};
