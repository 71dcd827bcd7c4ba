//! A norm that leaves out a step.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{NORM, Norm};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norm-off-formula",
    task: "encoder-layer",
    summary: "a norm does not take the mean off, or divides by the variance itself",
    page: "\
## What we saw

Where a token's channels have mean 0 or variance 1, all is right; elsewhere normed numbers are off,
by the mean that is still in them or by a root that was not taken.

## Why it is wrong

A norm that keeps the mean has a name of its own (RMSNorm) and is used in other models; here the
mean is to go. And divided by the variance, numbers that vary much become tiny and those that vary
little huge: the opposite of bringing all to one size. Both train, after a fashion.

## Where to look

Put a single token with the channels 1 and 5 through your norm by hand, and then through the
formula: mean, squared deviations, their mean, its root.
",
    imitations: &[
        |case| imitate(&Rules { norm: Norm { centered: false, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { norm: Norm { rooted: false, ..NORM }, ..RIGHT }, case),
    ],
    cuts: &[],
};
