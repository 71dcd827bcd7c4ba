//! Another activation in the head.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, Step, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-activation-swapped",
    task: "partial",
    summary: "the head has tanh or GELU where ReLU is due",
    page: "\
## What we saw

Between norm and last map stands another activation than ReLU: `tanh`, or GELU. Numbers far above
zero come nearly right under the one, and are squeezed to 1 by the other; below zero both let
something through.

## Why it is wrong

BERT's own pooler over the first token ends in `tanh`, and its layers have GELU inside, so that
either comes to hand. Each trains about as well as ReLU does, and no curve gives it away. But a
head is saved and loaded by names, and the names do not say which activation is between them:
weights that were trained with the one are put under the other, and predict something else without
an error.

## Where to look

Which function does the formula name, and which do you call? Put −1 through yours.
",
    imitations: &[
        |case| imitate(&Rules { head: &[Step::Norm, Step::Tanh, Step::Dropout], ..RIGHT }, case),
        |case| imitate(&Rules { head: &[Step::Norm, Step::Gelu, Step::Dropout], ..RIGHT }, case),
    ],
    cuts: &[],
};
