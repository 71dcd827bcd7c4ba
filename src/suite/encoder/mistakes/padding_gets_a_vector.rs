//! Padding is treated as a word.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-gets-a-vector",
    task: "glove",
    summary: "the row of padding is random instead of zeros",
    page: "\
## What we saw

Found and missing words are right. The first row, which belongs to padding, holds random numbers
like those of a missing word.

## Why it is wrong

Padding means nothing, and its vector should be nothing: zeros add nothing wherever a mask is
forgotten, and a mean or a sum is not moved by them. With random numbers every filled place looks
like the same strange word, which occurs more often than any other. That the embedding ignores the
row later is no reason to rely on it here.

## Where to look

What happens to the first entry of the vocabulary in your loop? Is it looked up like a word?
",
    imitations: &[|case| imitate(&Rules { clears_padding: false, ..RIGHT }, case)],
    cuts: &[],
};
