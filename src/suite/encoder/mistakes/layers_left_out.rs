//! Layers that are not run.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Layers, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layers-left-out",
    task: "encoder",
    summary: "not every layer is run, or not on what the one before made",
    page: "\
## What we saw

With a single layer the result is right, or the embedded tokens come out as they are; with several,
only some of the layers have a part in it: the first, all but the last, or the last alone.

## Why it is wrong

Every layer is made and counted, and some of them learn nothing, because nothing hangs on them. The
count of parameters is right and the model is shallower than its config says. It comes of loops
that end one early, and of loops in which each round begins with the same variable as the first.

## Where to look

Go through your loop with two layers on paper. What goes into the second, and what is left in your
variable at the end?
",
    imitations: &[
        |case| imitate(&Rules { layers: Layers::FirstOnly, ..RIGHT }, case),
        |case| imitate(&Rules { layers: Layers::AllButLast, ..RIGHT }, case),
        |case| imitate(&Rules { layers: Layers::FromTheStart, ..RIGHT }, case),
    ],
    cuts: &[],
};
