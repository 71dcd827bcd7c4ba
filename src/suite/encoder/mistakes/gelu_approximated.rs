//! Another GELU than the exact one.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{Activation, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "gelu-approximated",
    task: "feed-forward",
    summary: "GELU is approximated instead of computed with the error function",
    page: "\
## What we saw

With ReLU all is right. With GELU the numbers are close to right, up to a few ten thousandths off
around ±2 (or hundredths, with the sigmoid), and the rest of the network is as it should be.

## Why it is wrong

Several functions go by this name: the exact one with the error function, and approximations by a
hyperbolic tangent or a sigmoid, from a time when the error function was slow. Each is as good for
training from scratch. But weights that were trained with one give slightly different answers with
another, layer upon layer, and such a difference is hard to find once everything else is built on
it.

## Where to look

Which function of candle or of the kit do you call, and which formula stands in its documentation?
Compare its value at 2 with the one in ours.
",
    imitations: &[
        |case| imitate(&Rules { activation: Activation::Tanh, ..RIGHT }, case),
        |case| imitate(&Rules { activation: Activation::Sigmoid, ..RIGHT }, case),
    ],
    cuts: &[],
};
