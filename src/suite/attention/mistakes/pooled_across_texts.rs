//! Pooling over the batch.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "pooled-across-texts",
    task: "classifier",
    summary: "what comes out has a row for each position instead of each text",
    page: "\
## What we saw

The logits have as many rows as the texts have places. Where those are as many as there are texts,
the shape is right and the numbers are not.

## Why it is wrong

A pooling takes the positions away: `[B, T, D]` becomes `[B, D]`. Taken over the first axis, it
gives the average text of the batch at each place, and what any single text said is gone. With
batches as large as the texts are long, which is what one tries first, nothing fails. The loss
then compares the third place with the label of the third text, and learns nothing; a model that
never learns is looked for in the optimizer, in the data and in the learning rate first.

## Where to look

Which axis is the batch in what you hand to the pooling, and in the mask? Try two texts of three
words and look at the shape.
",
    imitations: &[|case| imitate(&Rules { pools: Pools::OverTexts, ..RIGHT }, case)],
    cuts: &[],
};
