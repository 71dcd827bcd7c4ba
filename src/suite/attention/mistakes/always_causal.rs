//! A causal mask that nobody asked for.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{Causal, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "always-causal",
    task: "scaled-dot-product",
    summary: "a query sees no later key, though no mask hides it",
    page: "\
## What we saw

Without a mask, the first query has all its weight on the first key, the second shares its weight
between two, and so on: no query looks at a key that comes after it. With a mask handed in,
everything is right, or later keys are hidden beside what the mask hides. With a single key nothing
is wrong either.

## Why it is wrong

Attention as such knows no order: which keys a query may see is decided by whoever calls it, and a
missing mask means all of them. Hiding the future is needed where a model predicts the next token
(section 3.2.3 of Vaswani et al. 2017 does so in the decoder alone). An encoder that reads whole
sentences, as the classifier of this assignment, loses half of each sentence that way, and nothing
reports it.

## Where to look

Look at what your code does when `mask` is `None`. Is there a mask of its own making? Print the
weights of an example with three queries and three keys and no mask, and look for zeros.
",
    imitations: &[
        |case| imitate(&Rules { causal: Causal::Unmasked, ..RIGHT }, case),
        |case| imitate(&Rules { causal: Causal::Always, ..RIGHT }, case),
        |case| imitate(&Rules { causal: Causal::Unguarded, ..RIGHT }, case),
    ],
    cuts: &[],
};
