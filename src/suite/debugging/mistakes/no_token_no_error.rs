//! Nothing is divided by nothing.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "no-token-no-error",
    task: "statistics",
    summary: "a batch without a real token is no error",
    page: "\
## What we saw

No token of the batch is real, and numbers came back all the same.

## Why it is wrong

A mean over nothing is 0 / 0. `NaN` in a table is looked for elsewhere; an error says where it is
from.

## Where to look

Look at what your means are divided by, and when that is 0.
",
    imitations: &[|case| imitate(&Rules { refuses_empty: false, ..RIGHT }, case)],
    cuts: &[],
};
