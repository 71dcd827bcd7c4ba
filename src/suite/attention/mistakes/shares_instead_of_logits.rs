//! A softmax at the end.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Ends, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "shares-instead-of-logits",
    task: "classifier",
    summary: "what comes out are shares, or their logarithms, and no logits",
    page: "\
## What we saw

The numbers of each text sum to one, or are logarithms of such. Their order is right, and so would
every prediction be.

## Why it is wrong

The cross-entropy takes logits and does its own softmax. Handed shares, it takes the softmax of a
softmax: between a sure answer and a wrong one there is at most a factor of e, the loss cannot
come near zero, and the gradient is faint where it should be strongest. Training is slow and stops
early. Accuracy, which looks at nothing but the order, rises as if all were well. Logarithms of
shares do less harm, since a softmax leaves them as they are, but they are not what the
documentation says.

## Where to look

What does your last line do, and what does the loss that follows expect to get? Its documentation
has a formula.
",
    imitations: &[
        |case| imitate(&Rules { ends: Ends::Softmax, ..RIGHT }, case),
        |case| imitate(&Rules { ends: Ends::LogSoftmax, ..RIGHT }, case),
    ],
    cuts: &[],
};
