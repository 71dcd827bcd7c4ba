//! Channels dealt out to the heads in turn.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{Arrange, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "heads-interleaved",
    task: "multi-head",
    summary: "heads take every H-th channel instead of a block of them",
    page: "\
## What we saw

Channels are dealt out like cards: head 0 gets channels 0, `H`, `2H` and so on. Changing the bias
of a block of channels that belongs to one head moves the weights of several. With one head, and
with as many heads as channels, nothing is wrong.

## Why it is wrong

Trained from scratch, such a layer would do as well: which channels make up a head is a
convention. But the convention is written into every set of trained weights. In section 3.2.2 of
Vaswani et al. 2017 each head has matrices of its own, and all libraries store them as blocks one
after another. With another deal the same weights give another model: loading a checkpoint raises
no error and gives nonsense.

## Where to look

When one axis of size `D` is split in two, the second part runs fastest. With `D = 6` and two
heads, write the numbers 0 to 5 in order, split as your code does, and read off which of them
share a head. Do the same for the merge.
",
    imitations: &[
        |case| {
            imitate(
                &Rules { split: Arrange::Interleaved, merge: Arrange::Interleaved, ..RIGHT },
                case,
            )
        },
        |case| imitate(&Rules { split: Arrange::Interleaved, ..RIGHT }, case),
        |case| imitate(&Rules { merge: Arrange::Interleaved, ..RIGHT }, case),
    ],
    cuts: &[],
};
