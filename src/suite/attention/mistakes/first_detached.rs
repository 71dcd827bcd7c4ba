//! A first token without a gradient.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "first-detached",
    task: "masked-pooling",
    summary: "no gradient passes back through the first token",
    page: "\
## What we saw

Every number that comes out is right. With the pooling of the first token, no gradient arrives at
the input: what was chosen is a constant. Mean and maximum have their gradients.

## Why it is wrong

A model that ends in this pooling trains nothing below it: neither attention nor the embedding.
The classifier above still learns what can be learnt from random features, so the loss falls, only
not far. Choosing a row is an operation that has a way back, and candle has several that remember
it: `narrow`, `index_select`, `gather`, a product with a mask. Numbers that were fetched from a
tensor and made into another one have none.

## Where to look

Go backwards from the result of this way of pooling, and ask of each step whether it is an
operation on tensors or a detour through plain numbers. Which part may safely be computed with
plain numbers: where the first token stands, or what stands there?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|case, _, _| case.get_size("kind") == 2],
};
