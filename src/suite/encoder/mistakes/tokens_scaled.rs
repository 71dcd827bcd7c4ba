//! Tokens are scaled.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tokens-scaled",
    task: "encoder",
    summary: "token embeddings are multiplied with the root of the width",
    page: "\
## What we saw

Positions and layers are right, but what stands for each token is multiplied by √D before the
position is added.

## Why it is wrong

Vaswani et al. scale their embeddings so, because theirs share their numbers with the output layer
and are small. The documentation here has learned positions of the same size as the tokens and does
not scale. With the factor, positions are a faint addition to loud tokens, and order is learned
late or not at all; with a width of 64 the tokens are eight times as large.

## Where to look

Go through the first line of the formula: what stands between the token's row and the sum? An
encoder without layers shows it bare.
",
    imitations: &[|case| imitate(&Rules { scale: f64::sqrt, ..RIGHT }, case)],
    cuts: &[],
};
