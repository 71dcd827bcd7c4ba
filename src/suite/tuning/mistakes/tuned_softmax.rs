//! A softmax after the head.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::Ends;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tuned-softmax",
    task: "prefix",
    summary: "what comes out has been through a softmax",
    page: "\
## What we saw

The numbers of each text are shares that sum to one, or their logarithms, where logits are due.
Their order is right, and so is every prediction.

## Why it is wrong

The cross-entropy takes logits and does its own softmax. Given shares, it takes the softmax of a
softmax: the largest share is 1 and the smallest 0, so that even a perfect answer looks undecided,
and the loss cannot fall below a bound. What comes back through both is faint, and a prefix at the
far end of a frozen encoder gets the faintest of it. Training is slow and stops early, and
accuracy, which looks at the order alone, does not say why.

## Where to look

What does the loss expect? Look at its documentation, and at what your last line does.
",
    imitations: &[
        |case| imitate(&Rules { ends: Ends::Softmax, ..RIGHT }, case),
        |case| imitate(&Rules { ends: Ends::LogSoftmax, ..RIGHT }, case),
    ],
    cuts: &[],
};
