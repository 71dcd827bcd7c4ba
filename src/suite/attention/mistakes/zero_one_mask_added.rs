//! A mask of zeros and ones, added as it is.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{EmptyRow, Masking, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "zero-one-mask-added",
    task: "scaled-dot-product",
    summary: "the mask's zeros and ones are added to the scores as they are",
    page: "\
## What we saw

Hidden keys keep most of their weight: each visible key is merely preferred to them by a factor of
e, about 2.7. A mask of ones changes nothing, and neither does a mask of zeros.

## Why it is wrong

There are two kinds of masks. One says yes or no, as here. The other is meant to be added, and
holds 0 for yes and something hugely negative for no; many models keep their masks in that form,
and code that was written for them has a plain addition. Put the first kind where the second is
expected, and everything runs: the shapes fit, rows sum to one, and 1 is simply added where one
may look.

## Where to look

What does your code add to the score of a key that may be seen, what to that of a hidden one, and
what is the difference between the two after the exponential? Work it out for two equal scores and
the mask `[1, 0]`. Which difference would it take to leave nothing?
",
    imitations: &[
        |case| imitate(&Rules { masking: Masking::Adds(1.0, 0.0), ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { masking: Masking::Adds(1.0, 0.0), empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
    ],
    cuts: &[],
};
