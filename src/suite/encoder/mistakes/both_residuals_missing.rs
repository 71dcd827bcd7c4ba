//! No residual connections at all.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Base, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "both-residuals-missing",
    task: "encoder-layer",
    summary: "neither sublayer's output is added to what went into it",
    page: "\
## What we saw

Each sublayer's output takes the place of its input. A layer whose sublayers give zeros forgets its
tokens altogether.

## Why it is wrong

Residual connections are what makes stacks of layers possible: each layer starts as nearly nothing
and learns what to add. Without them every layer replaces what the one before has found, signals
and gradients shrink from layer to layer, and a stack of two already learns worse than a single
layer. Nothing crashes, and the loss falls a little, which looks like a bad learning rate.

## Where to look

Where in the formula does `x` stand outside of every bracket that belongs to a sublayer? Is it
anywhere in your code after the first line?
",
    imitations: &[|case| imitate(&Rules { bases: [Base::Nothing, Base::Nothing], ..RIGHT }, case)],
    cuts: &[],
};
