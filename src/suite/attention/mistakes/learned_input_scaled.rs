//! An input that is scaled on its way.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-input-scaled",
    task: "learned-position",
    summary: "the input is scaled by the square root of the width before its row is added",
    page: "\
## What we saw

The rows of the table are added as they should be, and for an input of zeros the output is right.
Everything else comes out too large: the input's part of the output grows with the square root of
the width.

## Why it is wrong

Section 3.4 of Vaswani et al. 2017 does multiply with `√d_model`: the embedding of words does so,
before positions are added, and much code has the two in one line. In this course the two are
apart: who encodes positions is handed vectors that are ready, and adds to them. A learned table
starts with small numbers, and beside an input that was made larger it is all but lost. The
gradient that comes back to the input is too large by the same factor.

## Where to look

Hold `encode` against the documentation of LearnedPosition: what happens to `x` there before the
sum? Encode an input of ones with a table of zeros: what should come out?
",
    imitations: &[|case| imitate(&Rules { combine: Combine::AddToScaled, ..RIGHT }, case)],
    cuts: &[],
};
