//! Weights returned the other way round.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Returned, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "weights-transposed",
    task: "scaled-dot-product",
    summary: "the weights returned have queries and keys swapped",
    page: "\
## What we saw

The output is right. The weights that are returned are turned over: `[B, H, Tk, Tq]`, with a row
for each key instead of each query. Where there are as many queries as keys the shape gives nothing
away, but the columns sum to one and the rows do not.

## Why it is wrong

Row `i` of the weights is to say where query `i` looks. Turned over, a heat map reads \"who is
looked at\" where its axis says \"who looks\", and nothing warns of it: in a sentence that attends
to itself both are square. Conclusions about what a head does are then drawn the wrong way round,
and so are those of a program that looks for bugs in heat maps, as the third assignment's detectors
do.

## Where to look

Which of the two last axes of the softmax counts queries? And which one in what you return? Look at
what happens between the product with the values and the return. Add up a row and a column of what
comes out.
",
    imitations: &[|case| imitate(&Rules { returned: Returned::Transposed, ..RIGHT }, case)],
    cuts: &[],
};
