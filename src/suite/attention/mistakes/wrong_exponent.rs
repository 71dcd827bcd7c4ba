//! A frequency of its own for every channel.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, alternate, imitate};

/// The angle of channel `c` at position `t`, by a frequency that is the channel's alone.
fn each(t: usize, c: usize, d: usize) -> f64 {
    t as f64 * 10_000_f64.powf(-(c as f64) / d as f64)
}

pub(super) const MISTAKE: Mistake = Mistake {
    id: "wrong-exponent",
    task: "sinusoidal-position",
    summary: "the two channels of a pair have different frequencies",
    page: "\
## What we saw

Even channels are right. Odd ones have a frequency of their own, a little lower than that of the
channel to their left. The squares of the two do not sum to one, except at the first position.

## Why it is wrong

The sine and the cosine of one angle are the two coordinates of a point on a circle. Together they
say where it is, and moving on by `k` positions turns it by the same angle, wherever one starts: a
rotation, which a matrix can express, so that distances can be learnt (section 3.5 of Vaswani et
al. 2017). With different angles there is no circle and no rotation. The formula has `2i` in both
of its lines, for the sine and for the cosine alike, and `i` counts pairs.

## Where to look

Write down, for `D = 4`, which angle each of the four channels has at position 1. How many
different ones should there be? Then say what the variable in your exponent counts.
",
    imitations: &[|case| {
        imitate(&Rules { wave: |t, c, d| alternate(c, each(t, c, d)), ..RIGHT }, case)
    }],
    cuts: &[],
};
