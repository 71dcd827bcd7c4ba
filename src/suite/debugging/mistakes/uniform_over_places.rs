//! 1/T stands where 1/n should.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "uniform-over-places",
    task: "statistics",
    summary: "uniform counts padding in",
    page: "\
## What we saw

Without padding all is right. With padding, the distance to uniform is off.

## Why it is wrong

A head that looks at all real tokens alike has weights of 1/n, with n the real tokens. Compared with
1/T it seems to have a preference, the more so the more padding there is.

## Where to look

Look at what the number in your `1 / …` counts.
",
    imitations: &[|case| imitate(&Rules { uniform_over_real: false, ..RIGHT }, case)],
    cuts: &[],
};
