//! Scores divided by the width of a head.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "scale-by-width",
    task: "scaled-dot-product",
    summary: "scores are divided by the width of a head itself",
    page: "\
## What we saw

The weights are too even: scores are held back by more than they should be, and the wider a head
is, the more its weights approach `1 / Tk` each. With `K = 1` nothing is wrong.

## Why it is wrong

How large is a dot product of two vectors of `K` numbers? If the numbers are independent, with
mean 0 and variance 1, each product has variance 1, and variances add up: the sum has the variance
`K`. What is to be brought back to about 1 is not the variance, though, but the scores themselves,
and the two are not measured in the same unit. That is the footnote to section 3.2.1 of Vaswani et
al. 2017. With too small scores every key gets much the same, and attention is little more than a
mean.

## Where to look

Draw a thousand pairs of random vectors with 64 entries, take their dot products, and look at how
large a typical one is. Is it about 64? By what would you divide it?
",
    imitations: &[|case| imitate(&Rules { scale: |k| 1.0 / k, ..RIGHT }, case)],
    cuts: &[],
};
