//! A mask read in the order of memory.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{MaskOf, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "reads-memory-order",
    task: "scaled-dot-product",
    summary: "the mask is read in the order in which it lies in memory, not as it is seen",
    page: "\
## What we saw

With a mask per head that is a view of another tensor, such as one that was transposed, wrong keys
are hidden: the mask's rows are taken for those of other heads and queries. With a mask that lies
in memory as its shape says, which is most of them, everything is right.

## Why it is wrong

A tensor is a block of memory and a layout, which says how to walk through it. `transpose`,
`narrow` and `broadcast_as` change the layout alone and leave the memory as it is; that is why
they cost nothing. Whoever takes the block without the layout gets the numbers in an order that
has nothing to do with the shape, or more of them than the shape has. Operations of candle mind
the layout.

## Where to look

Look for the line that reaches behind the tensor to its storage. What does it do with the layout
that comes along? In a test, transpose a mask twice with `contiguous` in between: the same mask,
in another order in memory.
",
    imitations: &[|case| imitate(&Rules { mask_of: MaskOf::Memory, ..RIGHT }, case)],
    cuts: &[],
};
