//! The variance is divided by one less.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{NORM, Norm};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norm-unbiased",
    task: "encoder-layer",
    summary: "the variance of a norm is divided by D − 1 instead of by D",
    page: "\
## What we saw

Normed numbers are a little too small: by the root of (D − 1)/D, a tenth with four channels and
half a percent with a hundred.

## Why it is wrong

Dividing by one less is right for guessing the variance of a population from a sample. Here there
is no sample: the D channels are all there are, and the norm wants their own variance. Library
functions called `var` divide by one less unless told otherwise, PyTorch's and candle's among them.
In a narrow model it matters, and weights from elsewhere are off in every layer.

## Where to look

Does your variance come from a library function? Try it on the two numbers 0 and 2: what does the
formula of the documentation give?
",
    imitations: &[|case| imitate(&Rules { norm: Norm { unbiased: true, ..NORM }, ..RIGHT }, case)],
    cuts: &[],
};
