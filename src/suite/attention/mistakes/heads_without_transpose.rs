//! Heads split in the order of memory.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{Arrange, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "heads-without-transpose",
    task: "multi-head",
    summary: "heads are split off by a reshape alone, so that positions are mixed",
    page: "\
## What we saw

Each head works on numbers of several positions: a head's \"position 0\" is put together from what
stood first in memory. With one head, or a single position, nothing is wrong. A mask hides the
wrong things, and turning the queries round does not turn the output round.

## Why it is wrong

`[B, T, D]` lies in memory position by position. Its axis `D` can be split in two, giving each
position its heads, since both parts lie within the position. Asking for the heads before the
positions in the same reshape cuts the block elsewhere: the first `T · K` numbers become head 0,
though they are the first few positions with all their channels. Attention then compares pieces of
words with pieces of other words, and masks, which count positions, hide something else.

## Where to look

Take `T = 3`, `D = 4`, two heads and the numbers 0 to 11. Which numbers should head 0 get at
position 0, and which does it get in your code? What has to happen between splitting an axis and
moving it?
",
    imitations: &[
        |case| imitate(&Rules { split: Arrange::Untransposed, ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { split: Arrange::Untransposed, merge: Arrange::Untransposed, ..RIGHT },
                case,
            )
        },
    ],
    cuts: &[],
};
