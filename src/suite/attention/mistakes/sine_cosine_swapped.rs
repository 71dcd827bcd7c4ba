//! Cosines where sines should be.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, alternate, angle, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sine-cosine-swapped",
    task: "sinusoidal-position",
    summary: "even channels have the cosine and odd ones the sine",
    page: "\
## What we saw

In each pair of channels, the cosine comes first. At the first position the output begins with 1,
0, 1, 0, where it should begin with 0, 1, 0, 1. Frequencies are right, and so is the radius of
each circle.

## Why it is wrong

As far as learning goes, one order is as good as the other. It is a convention, though, fixed in
section 3.5 of Vaswani et al. 2017 and in the documentation of the trait, and every layer above
relies on it: a model that was trained with one order and is run with the other sees each position
as some other place that does not exist. Nothing fails, the answers are merely worse.

## Where to look

What are the sine and the cosine of zero? Which of them comes first in the first row of the
formula, and which in yours? If you choose by whether a channel's number is even, say aloud which
channels are numbered 0, 2, 4.
",
    imitations: &[|case| {
        imitate(
            &Rules { wave: |t, c, d| alternate(c + 1, angle(t, c / 2, d, 10_000.0)), ..RIGHT },
            case,
        )
    }],
    cuts: &[],
};
