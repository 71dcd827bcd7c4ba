//! Layers are not told what `train` is.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layers-told-otherwise",
    task: "encoder",
    summary: "a layer is told something else than whether the model learns",
    page: "\
## What we saw

The embedded tokens are dropped in training and only then. The layers, or all but the first, behave
alike in both: always as in training, or never.

## Why it is wrong

`train` is an argument and not a global switch, so that each part hears it from the one above; a
constant on the way cuts off all that lies below. Told `false`, the layers never drop anything and
the model learns its examples by heart sooner; told `true`, they drop words from texts that are to
be classified in earnest.

## Where to look

Follow `train` from the signature into the loop. What does each layer get?
",
    imitations: &[
        |case| imitate(&Rules { tells_layers: Some(false), ..RIGHT }, case),
        |case| imitate(&Rules { tells_layers: Some(true), ..RIGHT }, case),
        |case| imitate(&Rules { tells_first_alone: true, ..RIGHT }, case),
    ],
    cuts: &[],
};
