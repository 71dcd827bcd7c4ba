//! An encoding that is multiplied with.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoding-multiplied",
    task: "sinusoidal-position",
    summary: "the input is multiplied with the encoding instead of added to it",
    page: "\
## What we saw

The output is the input times the sines and cosines. Zeros stay zeros. At the first position every
even channel becomes 0, since the sine of 0 is, and what stood there is lost.

## Why it is wrong

A product lets the position switch channels on and off: wherever a sine passes near zero, what the
token said in that channel is gone, and no later layer can bring it back. A sum keeps both: the
token's part is there whatever the position, and as the two lie in a space of many dimensions, a
layer can learn to tell them apart. Section 3.5 of Vaswani et al. 2017 says in its first paragraph
how the two are brought together, and why both have the same width.

## Where to look

Hold the operation that brings table and input together against the formula in the documentation
of the trait. A test with zeros for the input tells at once: what should be left then?
",
    imitations: &[|case| imitate(&Rules { combine: Combine::Multiply, ..RIGHT }, case)],
    cuts: &[],
};
