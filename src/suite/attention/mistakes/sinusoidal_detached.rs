//! A graph that ends at the encoding.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sinusoidal-detached",
    task: "sinusoidal-position",
    summary: "no gradient passes back through the encoding",
    page: "\
## What we saw

Every number that comes out is right. On the way back, nothing arrives at the input: the output is
a constant, as far as candle knows.

## Why it is wrong

Positions are added at the very bottom of a model, right above the embedding of words. If the way
back ends here, the embedding stays at the random numbers that it began with, and everything above
learns to make do with them. The loss falls, only less far, and nothing is reported. The encoding
has no parameters, so it is easily thought that it need not mind gradients; but what passes
through it does. Numbers that were fetched with `to_vec3` and the like, changed in loops and made
into a tensor again have lost their history, and so has what `detach` returns.

## Where to look

Go backwards from what you return to `x`. Which step is not an operation of candle on tensors? In
a test, make `x` a `Var`, sum the output, call `backward`, and look whether the store has
something for `x`.
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, _| true],
};
