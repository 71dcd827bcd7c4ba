//! Rows in place of the input.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-replaces",
    task: "learned-position",
    summary: "the rows of the table are returned alone, without the input",
    page: "\
## What we saw

The output is the same for every input: the first rows of the table. For an input of zeros it is
right. No gradient comes back to the input, since the output does not depend on it.

## Why it is wrong

What comes out of this layer is all that the layers above ever learn of a token. If it is the row
of its position alone, all sentences of the same length are the same sentence, and the embedding
of words is never trained, as nothing comes back to it. The best that such a model can do is to
guess the most frequent class, and it gets there quickly, which looks as if it were learning.

## Where to look

Follow `x` through `encode`: what is taken from it other than its shape? The documentation of the
trait says what is to be returned. Try two different inputs of one shape, and look at the
difference of their outputs.
",
    imitations: &[|case| imitate(&Rules { combine: Combine::Replace, ..RIGHT }, case)],
    cuts: &[],
};
