//! All sines first, then all cosines.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, angle, imitate};

/// Sines in the first half of the channels, cosines in the second.
fn halves(t: usize, c: usize, d: usize) -> f64 {
    let half = d / 2;
    let angle = angle(t, c % half.max(1), d, 10_000.0);
    if c < half { angle.sin() } else { angle.cos() }
}

/// Cosines in the first half of the channels, sines in the second.
fn other_halves(t: usize, c: usize, d: usize) -> f64 {
    let half = d / 2;
    halves(t, if c < half { c + half } else { c - half }, d)
}

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sine-cosine-concatenated",
    task: "sinusoidal-position",
    summary: "sines fill the first half of the channels and cosines the second, instead of taking turns",
    page: "\
## What we saw

The first half of the channels holds sines and the second half cosines, or the other way round. At
the first position, zeros stand to one side and ones to the other, where they should take turns.
With `D = 2` the two orders are one.

## Why it is wrong

As far as learning goes, the order of channels is a matter of taste, and some published code has it
like this. But section 3.5 of Vaswani et al. 2017 gives even channels to the sine and odd ones to
the cosine, and the documentation of the trait does too. Weights that were trained with one order
are worthless with the other, since every matrix above has learnt which channel means what.
Besides, splitting heads cuts the channels into blocks: with halves, some heads see sines alone.

## Where to look

Write down the second row of the table for `D = 4`, entry by entry, from the formula. In your code,
which operation brings sines and cosines together, and what lies next to what after it?
",
    imitations: &[
        |case| imitate(&Rules { wave: halves, ..RIGHT }, case),
        |case| imitate(&Rules { wave: other_halves, ..RIGHT }, case),
    ],
    cuts: &[],
};
