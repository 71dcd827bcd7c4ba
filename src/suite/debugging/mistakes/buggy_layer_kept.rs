//! The repaired layer is the one that was given.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Base, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "buggy-layer-kept",
    task: "encoder-layer",
    summary: "the repaired layer does what the buggy one does",
    page: "\
## What we saw

On every input, the layer that was handed in as repaired gives what the provided one in `buggy.rs`
gives.

## Why it is wrong

It runs, its shapes are right, and none of its numbers is strange: that is what makes this bug one
that has to be looked for. Trained with it, the classifier stays at chance, however long it is
trained, and its upper layers look at every token alike. A copy of it under another name does the
same. Perhaps the repair went into a file that is not handed in, or changed something that was
right before.

## Where to look

Look at the heat maps of the buggy model from the first layer to the last, and at what is left of a
token on its way through one layer. Which lines decide that?
",
    imitations: &[|case| imitate(&Rules { bases: [Base::Nothing, Base::Itself], ..RIGHT }, case)],
    cuts: &[],
};
