//! Norms without a gradient.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "cut-by-layer-norm",
    task: "encoder-layer",
    summary: "the way back ends at the layer norms",
    page: "\
## What we saw

Every number that comes out is right. In a post-norm layer no gradient arrives anywhere; in a
pre-norm layer it only takes the road past the sublayers, and the norms never learn.

## Why it is wrong

Candle's own layer norm takes a fast path where its input is contiguous, and that path has no way
back. There is no error: the graph simply ends, and an optimizer skips whatever gets no gradient. A
stack of post-norm layers then trains its head alone, and the curve looks like that of a weak
model. This crate's norm has the same name and a gradient.

## Where to look

Where does your norm come from? Sum the layer's output, call `backward`, and look which parameters
the store knows.
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, _| true],
};
