//! An input that is scaled on its way.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "input-scaled",
    task: "sinusoidal-position",
    summary: "the input is scaled by the square root of the width before the encoding is added",
    page: "\
## What we saw

The encoding itself is right, and for an input of zeros the output is too. Everything else comes
out too large: the input's part of the output grows with the square root of the width.

## Why it is wrong

Section 3.4 of Vaswani et al. 2017 does multiply with `√d_model`: the embedding does so, before
positions are added, and much code has the two in one line. In this course the two are apart: who
encodes positions is handed vectors that are ready, and adds to them. If both did it, the position
would be a whisper beside the token; and the classifier of this assignment, whose embedding is not
scaled, is trained with inputs of another size than it was tuned for.

## Where to look

Hold `encode` against the formula in the documentation of SinusoidalPosition: what happens to `x`
there before the sum? Encode an input of ones, subtract the encoding of zeros, and look at what is
left.
",
    imitations: &[|case| imitate(&Rules { combine: Combine::AddToScaled, ..RIGHT }, case)],
    cuts: &[],
};
