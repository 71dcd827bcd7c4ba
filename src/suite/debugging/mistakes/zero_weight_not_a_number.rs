//! 0 · ln 0 is computed.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, Zero, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "zero-weight-not-a-number",
    task: "statistics",
    summary: "a weight of zero makes the entropy NaN",
    page: "\
## What we saw

Where every weight is above zero, all is right. Where a single one is exactly zero, the entropy is
`NaN`.

## Why it is wrong

ln 0 is minus infinity, and zero times that is no number. The limit of w · ln w as w goes to 0 is 0,
so a key without weight adds nothing to an entropy. Zeros are no rarity: a padded key has one
always, and a score far below the others has one in single precision as well, so that this entropy
is `NaN` for nearly every batch there is.

## Where to look

Look at what your sum adds for a weight of exactly 0. A very small number added to every weight
changes the others too.
",
    imitations: &[|case| imitate(&Rules { zero: Zero::NotANumber, ..RIGHT }, case)],
    cuts: &[],
};
