//! The last row for all that follows.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, TooLong, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-too-long-clamped",
    task: "learned-position",
    summary: "beyond the table, every position gets its last row",
    page: "\
## What we saw

A sequence that is longer than the table is answered all the same: the last row is used for every
position beyond it. All shorter sequences are right.

## Why it is wrong

A learned table knows nothing of positions that it has no row for, as there is no formula to go on
with. Giving them all the same row makes them one position to attention: the order of everything
behind is lost, and the last row is trained on a mixture of all of them. It hides that texts were
not cut to length, which is what the error is for that the documentation of the trait asks for.
Candle's own cutting of rows refuses what goes beyond the end.

## Where to look

Look for a minimum or a clamp in the computation of row numbers. What was it to keep
from happening, and who should have been told? Try a table of 3 rows with a sequence of 4.
",
    imitations: &[|case| imitate(&Rules { too_long: TooLong::Clamped, ..RIGHT }, case)],
    cuts: &[],
};
