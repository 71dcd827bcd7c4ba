//! An exponent that is rounded down to zero.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, alternate, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "integer-exponent",
    task: "sinusoidal-position",
    summary: "every channel has the same frequency: the exponent is a division of whole numbers",
    page: "\
## What we saw

All pairs of channels are alike: each has the angle `t`, the frequency of the first pair. With `D
= 2`, where there is just one pair, nothing is wrong.

## Why it is wrong

In Rust, as in C, a division of whole numbers gives a whole number and throws the rest away: 3 / 4
is 0. Here the exponent is a part of the width divided by all of it, which is always below 1, so
it comes out as 0, and everything to the power of 0 is 1. The pairs should be the hands of a
clock, from a quick one to one that hardly moves in ten thousand steps (section 3.5 of Vaswani et
al. 2017). With one hand alone, positions 0, 44 and 88 look nearly alike: 44 is seven turns of a
circle and less than a fiftieth of a radian more.

## Where to look

Look at the types on both sides of each division, and at what is converted to `f64` first: the
operands or the result?
",
    imitations: &[|case| imitate(&Rules { wave: |t, c, _| alternate(c, t as f64), ..RIGHT }, case)],
    cuts: &[],
};
