//! A sublayer's output is added to itself.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Base, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "residual-of-itself",
    task: "encoder-layer",
    summary: "a residual sum adds a sublayer's output instead of its input",
    page: "\
## What we saw

One of the sums (or both) adds something that a sublayer gave to what a sublayer gave: there is a
plus sign, and no road past the sublayers.

## Why it is wrong

It happens when a variable is overwritten with a sublayer's output before the sum is taken: then
the sum has the shape of a residual connection and nothing of its effect. Tokens are replaced by
what the sublayers say of them, twice as loud. A norm after the sum even hides the doubling, so
that the numbers look harmless.

## Where to look

At the moment of each sum, what do the two variables hold? Write down for each of them which line
it was last written in.
",
    imitations: &[
        |case| imitate(&Rules { bases: [Base::Itself, Base::Itself], ..RIGHT }, case),
        |case| imitate(&Rules { bases: [Base::Itself, Base::Stream], ..RIGHT }, case),
        |case| imitate(&Rules { bases: [Base::Stream, Base::Itself], ..RIGHT }, case),
        |case| imitate(&Rules { bases: [Base::Stream, Base::Attended], ..RIGHT }, case),
    ],
    cuts: &[],
};
