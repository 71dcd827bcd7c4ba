//! A norm on the wrong side.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Norm, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norm-before-attention",
    task: "classifier",
    summary: "the norm stands before the attention instead of after it",
    page: "\
## What we saw

Without the norm everything is right. With it, what goes into the attention is normalised, and
what comes out is not.

## Why it is wrong

Both orders have their place: before each sublayer in pre-norm layers, after it in post-norm ones.
Here the documentation says after. The difference is not small. A norm before the attention takes
the lengths of the embeddings out of the scores, and leaves the size of what is pooled to chance;
a norm after it gives the head numbers of one size whatever the attention does. The parameters
have the same names and shapes in both, so weights load without an error and give other results.

## Where to look

Which tensor does your norm get, and in which line of the formula does that stand?
",
    imitations: &[|case| imitate(&Rules { norm: Norm::Before, ..RIGHT }, case)],
    cuts: &[],
};
