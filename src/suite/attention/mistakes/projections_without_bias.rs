//! Projections without their biases.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "projections-without-bias",
    task: "multi-head",
    summary: "projections leave their biases out",
    page: "\
## What we saw

Some or all projections multiply with their weight and add nothing: changing a bias moves nothing.
With biases of zero, as they are at the start of training, everything is right, so a test with
fresh parameters shows nothing.

## Why it is wrong

The paper's formula has no biases, and some models leave them out, so this is a choice and no
error in itself. But it is a choice that whoever stores weights has made already: the table in the
documentation of the trait lists eight parameters, four of them biases, and a checkpoint that was
trained with them means something else without. A bias in `k_proj` alone would make no difference
to the weights (why?), the others all do.

## Where to look

Hold the table of parameters in the documentation against what your constructor asks for, name by
name. Candle has two constructors for a linear layer that differ in just this; which one did you
call, and what does its name say?
",
    imitations: &[
        |case| imitate(&Rules { biases: [false; 4], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [false, false, false, true], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [true, true, true, false], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [false, true, true, true], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [true, true, false, true], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [false, false, true, true], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [false, true, true, false], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [true, true, false, false], ..RIGHT }, case),
    ],
    cuts: &[],
};
