//! Padded queries are multiplied by zero, and not left out.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-multiplied-by-zero",
    task: "statistics",
    summary: "NaN in the row of a padded query reaches the result",
    page: "\
## What we saw

All is right as long as the rows of padded queries hold numbers. With `NaN` in them, the result is
`NaN`.

## Why it is wrong

Zero times `NaN` is `NaN`. Attention of a query that may look at nothing often is, so a product with
the mask is no way of leaving something out.

## Where to look

Look at how padded queries are kept out of your sums.
",
    imitations: &[|case| imitate(&Rules { leaves_out: false, ..RIGHT }, case)],
    cuts: &[],
};
