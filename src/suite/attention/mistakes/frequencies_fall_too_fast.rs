//! Frequencies that fall twice as fast.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, alternate, angle, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "frequencies-fall-too-fast",
    task: "sinusoidal-position",
    summary: "frequencies fall twice as fast from pair to pair: a doubled exponent, or the base squared",
    page: "\
## What we saw

The first pair of channels is right, and so is the first position. In every other pair the angle
grows too slowly: each frequency is what the formula gives for a pair twice as far on. That comes
of an exponent that is doubled, or of a base of 10⁸; the numbers are the same.

## Why it is wrong

The formula in section 3.5 of Vaswani et al. 2017 numbers pairs of channels with `i`, and `2i` is
the number of the channel. Code often loops over channels in steps of two, and then the loop's
variable is the channel already; a factor 2 then counts twice. The wave lengths then reach from
2π to the square of what was meant, and half of all channels hardly move over any sentence: the
model has half as many clocks as it should.

## Where to look

Say in words what your loop's variable counts: pairs or channels? And how many zeros does the base
have? Write down the angles of position 1 for `D = 4`, by the formula and by your code.
",
    imitations: &[|case| {
        imitate(
            &Rules { wave: |t, c, d| alternate(c, angle(t, c - c % 2, d, 10_000.0)), ..RIGHT },
            case,
        )
    }],
    cuts: &[],
};
