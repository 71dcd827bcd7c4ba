//! Views are refused.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "views-of-weights-refused",
    task: "statistics",
    summary: "weights that are not contiguous in memory are refused",
    page: "\
## What we saw

Weights that lie in memory row by row are read well. A view of the same numbers, such as two swapped
axes leave, ends in an error.

## Why it is wrong

Weights come from a product whose heads were swapped to the front, from `narrow`, or from `expand`:
what a hook sees is often a view. A view has the same shape and the same numbers; only the order in
memory differs. A tensor knows where its elements are, and most operations do not care. The few that
do say so in an error.

## Where to look

Look at which of your operations returns the error. What would make its input contiguous, or do
without that?
",
    imitations: &[|case| imitate(&Rules { takes_views: false, ..RIGHT }, case)],
    cuts: &[],
};
