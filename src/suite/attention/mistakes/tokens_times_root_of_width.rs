//! Scaled embeddings.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tokens-times-root-of-width",
    task: "classifier",
    summary: "the embedded tokens are multiplied by the root of the model's width",
    page: "\
## What we saw

Before the positions are added, every embedded token is larger than its row in the table by the
same factor, the root of `D`.

## Why it is wrong

Vaswani et al. do this (section 3.4), because their embeddings share their weights with the last
layer and are small for that reason. The formula here does not: the rows of the table are used as
they are. With the factor, positions are drowned by the tokens, and scores, which are products of
two such vectors, grow with its square: the softmax is sharp from the first step on, sees one word
each, and passes hardly any gradient to the others. Training is slower and less steady, and
weights from elsewhere do not fit.

## Where to look

What happens to a row of the table between its lookup and the sum with its position? Compare one
number by hand.
",
    imitations: &[|case| imitate(&Rules { scale: f64::sqrt, ..RIGHT }, case)],
    cuts: &[],
};
