//! One pooling for all.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "pooling-whatever-asked",
    task: "classifier",
    summary: "texts are pooled in one way, whatever the config says",
    page: "\
## What we saw

With one of the three ways of pooling everything is right. With the others, the logits are those
of that one.

## Why it is wrong

Which vector stands for a text is a decision about the model. The first token has to learn to
gather what the others know, the maximum keeps the strongest sign of each feature, and the mean
weighs all words alike. Which of them does best is found out by trying, and a trial of three
configurations that are all the same one finds nothing. Weights that were trained for a mean are
of little use to a first token: it looks at one word of the sentence, and was never asked to look
at the rest.

## Where to look

What do you hand to the part that makes poolings, and where does it come from? Is there a place in
`forward` that picks a position by its number?
",
    imitations: &[
        |case| imitate(&Rules { pools: Pools::First, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::Mean, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::Max, ..RIGHT }, case),
    ],
    cuts: &[],
};
