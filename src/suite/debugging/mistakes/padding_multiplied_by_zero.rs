//! Padded queries are multiplied by zero, and not left out.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-multiplied-by-zero",
    task: "statistics",
    summary: "NaN in the row of a padded query reaches the result",
    page: "\
## What we saw

All is right as long as the rows of padded queries hold numbers. With `NaN` in these rows, which are
not to count, the result is `NaN`.

## Why it is wrong

Zero times `NaN` is `NaN`, so a product with the mask is no way of leaving something out. And such
rows do occur: where a query may look at nothing, all of its scores are minus infinity, and their
softmax is 0 / 0. A model that never uses these rows works well and has them all the same; then its
statistics have to work too.

## Where to look

Look at how the rows of padded queries are kept out of your sums. Which operation takes one value or
the other, whatever the one that is not taken is?
",
    imitations: &[|case| imitate(&Rules { leaves_out: false, ..RIGHT }, case)],
    cuts: &[],
};
