//! Nothing is divided by nothing.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "no-token-no-error",
    task: "statistics",
    summary: "a batch without a real token is no error",
    page: "\
## What we saw

No token of the batch is real: its mask is 0 everywhere. Numbers came back all the same.

## Why it is wrong

A mean over no query is 0 / 0, and there is no number that it could be. `NaN` spreads through every
mean of means that it gets into and turns up in a table, where it is looked for in the attention and
not in a batch that was empty. A 0 is worse: it looks like a result. An error says at once what was
asked and where it comes from.

## Where to look

Look at what your means are divided by, at when that is 0, and at what is returned then.
",
    imitations: &[|case| imitate(&Rules { refuses_empty: false, ..RIGHT }, case)],
    cuts: &[],
};
