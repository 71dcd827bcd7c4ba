//! Keys reshaped where they should be transposed.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "key-reshaped",
    task: "scaled-dot-product",
    summary: "keys are brought to [B, H, K, Tk] by a reshape",
    page: "\
## What we saw

The weights are those of other keys than the ones handed in: each column that is compared with a
query is put together from channels of several keys. The shapes are right, rows sum to one, and
with `K = 1` or a single key nothing is wrong.

## Why it is wrong

A transposition moves numbers to other places: entry `[j, c]` comes to stand at `[c, j]`. A
reshape moves nothing: it reads the same numbers in the same order and only draws the lines
between rows elsewhere. Both give the shape that the matrix product asks for, so nothing
complains. What is multiplied then is a mixture of positions, and the mixture changes with the
length of the sequence.

## Where to look

Take the keys `[[1, 2], [3, 4], [5, 6]]`, three keys two wide. Write down what your code makes of
them before the product, as two rows of three, and hold it against what the formula means by
turning the matrix. Print both in a test.
",
    imitations: &[|case| imitate(&Rules { reshapes_keys: true, ..RIGHT }, case)],
    cuts: &[],
};
