//! Views are refused.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layer-refuses-views",
    task: "encoder-layer",
    summary: "an input that is not contiguous in memory is refused by the layer",
    page: "\
## What we saw

An input whose rows lie apart in memory is refused with an error; the same numbers in one piece are
taken and treated rightly.

## Why it is wrong

A tensor is what its indices say, not how it lies in memory. Slices and transpositions make views,
and whoever calls a layer may hold one: a part of a batch, the first half of the channels. A part
that wants its numbers in a row has to bring them into one by itself, or it works in its author's
tests alone.

## Where to look

Which operation says so, and what could be done to its input just before?
",
    imitations: &[|case| imitate(&Rules { refuses_strided: true, ..RIGHT }, case)],
    cuts: &[],
};
