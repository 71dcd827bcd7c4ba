//! Mean and variance over the positions.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{NORM, Norm, Over};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norm-over-positions",
    task: "encoder-layer",
    summary: "a norm takes mean and variance over positions instead of channels",
    page: "\
## What we saw

Each channel is brought to one size along the sequence, instead of each token along its channels.
One token's result changes when another token does, in the norm already, and padding takes part.

## Why it is wrong

A layer norm knows one token at a time: that is what sets it apart from other norms, and what makes
it safe with padding and with sequences of any length. Taken over positions it tells each token
about all others, past every mask, and a sequence of one token becomes nothing but biases.

## Where to look

Which axis do you hand to the mean, and what does that axis count in `[B, T, D]`? Try a sequence of
one token.
",
    imitations: &[
        |case| imitate(&Rules { norm: Norm { over: Over::Positions, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { norm: Norm { over: Over::Example, ..NORM }, ..RIGHT }, case),
    ],
    cuts: &[],
};
