//! A norm with another ε.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "attention-norm-epsilon",
    task: "classifier",
    summary: "what the norm after the attention adds to the variance is not 1e-5",
    page: "\
## What we saw

With numbers of ordinary size everything is right to a few digits. Where the attention gives small
ones, the norm divides by too much or by too little: another ε is at work, or none.

## Why it is wrong

ε keeps a norm from dividing by zero, and decides what becomes of tokens whose channels hardly
differ. A large one flattens them; one that is too small, or none, blows their rounding errors up to
full size, or divides zero by zero. Frameworks have different defaults, so weights that are carried
from one to another give slightly different answers.

## Where to look

Which number is added to the variance before the root is taken, and which one stands in the
documentation?
",
    imitations: &[
        |case| imitate(&Rules { epsilon: 1e-3, ..RIGHT }, case),
        |case| imitate(&Rules { epsilon: 1e-6, ..RIGHT }, case),
        |case| imitate(&Rules { epsilon: 1e-8, ..RIGHT }, case),
        |case| imitate(&Rules { epsilon: 1e-12, ..RIGHT }, case),
        |case| imitate(&Rules { epsilon: 0.0, ..RIGHT }, case),
    ],
    cuts: &[],
};
