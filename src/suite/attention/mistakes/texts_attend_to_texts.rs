//! Attention along the wrong axis.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "texts-attend-to-texts",
    task: "classifier",
    summary: "words attend to the words at the same place of other texts",
    page: "\
## What we saw

The logits of a text change when other texts of its batch change, and a text alone in its batch
never looks beyond each word itself.

## Why it is wrong

Our tensors are `[B, T, D]`, and attention runs along the second axis. Where the first two are
swapped on the way there, as libraries with `[T, B, D]` want it, the shapes often fit all the
same, and attention mixes strangers: the third word of this text with the third word of the
others. No word learns anything of its own sentence, and what a text is classified as hangs on its
neighbours in the batch. In training that looks like noise; in use, with one text at a time, the
model has never seen anything like it.

## Where to look

Write the shape beside each line between the embedding and the pooling. At which line is the first
axis no longer the batch?
",
    imitations: &[|case| imitate(&Rules { across_texts: true, ..RIGHT }, case)],
    cuts: &[],
};
