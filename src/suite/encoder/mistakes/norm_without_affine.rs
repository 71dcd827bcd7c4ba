//! A norm without weight or bias.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{NORM, Norm};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norm-without-affine",
    task: "encoder-layer",
    summary: "a norm is used without its weight or without its bias",
    page: "\
## What we saw

Normed numbers have mean 0 and variance 1 whatever the parameters of the norm say: its weight, its
bias or both have no part in the result.

## Why it is wrong

Mean 0 and variance 1 is where training starts, not where it should stay. By its weight a norm
turns channels up and down, and by its bias it moves them; the sublayer behind it learns much less
without. As both begin as ones and zeros, nothing differs before the first step, and a test on a
fresh model finds nothing.

## Where to look

Hold the table of parameters beside your constructor, and follow each of the four tensors of the
norms to the line in which it is used.
",
    imitations: &[
        |case| imitate(&Rules { norm: Norm { weight: false, bias: false, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { norm: Norm { bias: false, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { norm: Norm { weight: false, ..NORM }, ..RIGHT }, case),
    ],
    cuts: &[],
};
