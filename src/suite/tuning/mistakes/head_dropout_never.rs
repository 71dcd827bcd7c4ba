//! The head never drops.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping, When};
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-dropout-never",
    task: "partial",
    summary: "dropout never happens in the head",
    page: "\
## What we saw

In training with a high probability of dropout, the logits are exactly those outside of training.
No number is ever missing before the last map.

## Why it is wrong

The head is small, and the training set of a tuned model often is too: dropout is what keeps the
last map from leaning on a handful of channels that happen to fit its examples. Without it the
training loss looks better and the validation loss turns round earlier, which is easily taken for
a matter of the learning rate. A sweep over `head_dropout` comes to the same result for every
value.

## Where to look

Where does `head_dropout` go in your constructor, and where does `train` go in `forward`? Do the
two meet?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { when: When::Never, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
