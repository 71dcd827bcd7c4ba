//! Chosen by other accuracies.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::sweep::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "chosen-by-other-scores",
    task: "sweep",
    summary: "the best is chosen by test or training accuracy",
    page: "\
## What we saw

All trainings are carried out and reported as they should be. The one that is called the best has
the highest accuracy on test or training examples, not on validation examples.

## Why it is wrong

Whoever chooses by the test examples has used them up: of many settings one is always lucky, and
its accuracy then says how lucky, not how good. A fair number needs examples that played no part in
any choice. And training accuracy rewards learning by heart, which the largest learning rate and
the smallest batch do best.

## Where to look

Which of the three accuracies does your comparison read? Say aloud what each is for.
",
    imitations: &[
        |case| imitate(&Rules { by: "test", ..RIGHT }, case),
        |case| imitate(&Rules { by: "train", ..RIGHT }, case),
    ],
    cuts: &[],
};
