//! A sum divided by the padded length.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, Padding, RIGHT, Rule, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mean-divided-by-length",
    task: "masked-pooling",
    summary: "the mean is divided by the padded length",
    page: "\
## What we saw

Padding is left out of the sum, but the sum is divided by the length of the sequence with its
padding: the mean comes out too small by the share of real tokens. Sequences without padding are
right, and so are maximum and first token.

## Why it is wrong

A mean divides by the number of those that it summed over. Divided by a length that padding has
stretched, a text of ten tokens in a batch of length 100 gets a tenth of its mean, and in a batch
of length 10 all of it: how large a vector is depends on its neighbours. No number of the padding
itself has any influence, so changing what stands there shows nothing, and the check for that is
passed.

## Where to look

Where does the number below the line come from, and what does it count? Which tensor knows how
many tokens of each example are real? Try the tokens 2 and 4 and one of padding.
",
    imitations: &[|case| {
        imitate(&Rules { mean: Rule { padding: Padding::SetTo(0.0), ..LEFT_OUT }, ..RIGHT }, case)
    }],
    cuts: &[],
};
