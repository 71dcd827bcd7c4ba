//! The mean stands for the text.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, Token, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mean-for-the-first",
    task: "partial",
    summary: "the head gets the mean over the tokens, and not the first token",
    page: "\
## What we saw

Texts of one token are right. For longer ones the head gets the mean over the real tokens, or over
all places, where the first token is due.

## Why it is wrong

Task 1 pools by a mean, and its function is at hand. Here the first token is asked for, the one
that BERT is pretrained to sum a text up in: the layers that you unfreeze learn to write into that
place, and the others need not care. A mean works too, and often as well, but it is another model.
Its weights cannot be exchanged with those of this one, and a comparison of the two tasks would
compare something else than it says.

## Where to look

Which rows of `[B, T, D]` go into your vector? In an encoder without layers, does the second word
of a text move the logits?
",
    imitations: &[
        |case| imitate(&Rules { token: Token::Mean, ..RIGHT }, case),
        |case| imitate(&Rules { token: Token::MeanOfAll, ..RIGHT }, case),
    ],
    cuts: &[],
};
