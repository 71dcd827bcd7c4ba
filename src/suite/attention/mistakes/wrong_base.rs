//! Another base than ten thousand.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, imitate, wave};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "wrong-base",
    task: "sinusoidal-position",
    summary: "the frequencies are made with another base than the formula's",
    page: "\
## What we saw

The first pair of channels is right, and so is the first position. All other pairs turn at another
speed than they should, the more so the further on they stand: the frequencies are made with
another number than the formula's. With `D = 2` nothing is wrong, and over a few positions hardly
anything shows.

## Why it is wrong

The base sets the longest wave: with the paper's, the slowest pairs take tens of thousands of
positions for one turn (section 3.5 of Vaswani et al. 2017). A smaller base makes all pairs
quicker, so that long texts come round to encodings that were there before; a larger one leaves
more channels that hardly move. A model that was trained with one base and is run with another
sees every position moved, by a different amount in each channel.

## Where to look

Count the zeros. Then hold the angle of the last pair at position 100 against the formula, with a
calculator.
",
    imitations: &[
        |case| imitate(&Rules { wave: |t, c, d| wave(t, c, d, 1_000.0), ..RIGHT }, case),
        |case| imitate(&Rules { wave: |t, c, d| wave(t, c, d, 100.0), ..RIGHT }, case),
        |case| imitate(&Rules { wave: |t, c, d| wave(t, c, d, 100_000.0), ..RIGHT }, case),
        |case| imitate(&Rules { wave: |t, c, d| wave(t, c, d, 1_000_000.0), ..RIGHT }, case),
    ],
    cuts: &[],
};
