//! Norms whose parameters do not learn.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norm-parameters-detached",
    task: "encoder-layer",
    summary: "no gradient arrives at the weights and biases of the norms",
    page: "\
## What we saw

Every number is right, and gradients arrive at the input and at both sublayers. None arrives at the
weights and the biases of the norms.

## Why it is wrong

The norms then stay as they began, with weights of one and biases of zero, for ever. The model
learns all the same, a little worse, and nothing says that eight tensors stand still. In candle, a
tensor loses its history by `detach`, and by being rebuilt from plain numbers; the parameters that
the builder hands out have one.

## Where to look

Follow the weight of a norm from the builder to the multiplication. What is done to it on the way
that candle could not undo?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| to.starts_with("norm")],
};
