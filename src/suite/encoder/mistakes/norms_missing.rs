//! No norms.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Placement, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norms-missing",
    task: "encoder-layer",
    summary: "there are no layer norms",
    page: "\
## What we saw

Both sums are right, and nothing is ever normed: the parameters of the norms have no part in the
result.

## Why it is wrong

Sums grow. Each layer adds something to every token, so that after a few layers the numbers are
large, the softmax of the attention picks single tokens, and gradients explode or vanish with them.
Norms keep what goes into a sublayer at one size, whatever came before. A single layer trains
without them, which is why their absence shows only in a stack.

## Where to look

Hold the formula beside your code and count the norms: two in each placement. Where are they
applied?
",
    imitations: &[|case| imitate(&Rules { placement: Placement::Nowhere, ..RIGHT }, case)],
    cuts: &[],
};
