//! A causal mask in a classifier.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, Sees, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "later-words-hidden",
    task: "classifier",
    summary: "no word sees the words after it",
    page: "\
## What we saw

The first word of each text attends to itself alone, the second to two words, and so on; only the
last sees all. Texts of one word are right.

## Why it is wrong

A causal mask belongs to models that predict the next word: what is to be predicted must not be
seen. A classifier has the whole text before it, and there is nothing to hide but padding. With
the triangle, the outputs of early words know little, and the mean is made mostly of them. The
model still learns, since later words make up for part of it, so that accuracy is lower than it
could be and nothing says why. Where only the first token is pooled, it has seen no other word at
all.

## Where to look

What does the mask that you make hide, other than padding? Look at its rows for a text of three
words without any.
",
    imitations: &[|case| imitate(&Rules { sees: Sees::Earlier, ..RIGHT }, case)],
    cuts: &[],
};
