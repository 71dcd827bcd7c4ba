//! Another base than ten thousand.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, imitate, wave};

/// What an encoding with another base gives.
macro_rules! of_base {
    ($base:expr, $case:expr) => {
        imitate(&Rules { wave: |t, c, d| wave(t, c, d, $base), ..RIGHT }, $case)
    };
}

pub(super) const MISTAKE: Mistake = Mistake {
    id: "wrong-base",
    task: "sinusoidal-position",
    summary: "the frequencies are made with another base than the formula's",
    page: "\
## What we saw

The first pair of channels is right, and so is the first position. All other pairs turn at another
speed than they should, the more so the further on they stand: the frequencies are those of
another base than the formula's. With `D = 2` nothing is wrong, and over a few positions hardly
anything shows.

## Why it is wrong

The base sets the longest wave: with the paper's, the slowest pairs take tens of thousands of
positions for one turn (section 3.5 of Vaswani et al. 2017). A smaller base makes all pairs
quicker, so that long texts come round to encodings that were there before; a larger one leaves
more channels that hardly move. A model that was trained with one base and is run with another
sees every position moved, by a different amount in each channel.

## Where to look

Count the zeros, and look for a factor 2 that is missing in the exponent, which comes to the square
root of the base. Then hold the angle of the last pair at position 100 against the formula, with a
calculator.
",
    imitations: &[
        |case| of_base!(10.0, case),
        |case| of_base!(50.0, case),
        |case| of_base!(100.0, case),
        |case| of_base!(500.0, case),
        |case| of_base!(1_000.0, case),
        |case| of_base!(2_000.0, case),
        |case| of_base!(5_000.0, case),
        |case| of_base!(8_000.0, case),
        |case| of_base!(12_000.0, case),
        |case| of_base!(20_000.0, case),
        |case| of_base!(50_000.0, case),
        |case| of_base!(100_000.0, case),
        |case| of_base!(500_000.0, case),
        |case| of_base!(1e6, case),
        |case| of_base!(1e7, case),
        |case| of_base!(1e9, case),
    ],
    cuts: &[],
};
