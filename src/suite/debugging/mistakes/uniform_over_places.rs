//! 1/T stands where 1/n should.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "uniform-over-places",
    task: "statistics",
    summary: "uniform counts padding in",
    page: "\
## What we saw

Without padding all three numbers are right. With padding, the distance to uniform is off.

## Why it is wrong

A head that looks at all real tokens alike gives each of them a weight of 1/n, where n is the number
of real tokens in that text. Compared with 1/T, where T is the length to which texts are padded, the
same head seems to have a preference, the more so the more padding there is, and the distance of a
short text depends on the longest one in its batch.

## Where to look

Look at what the number in your `1 / …` counts, and at whether it can differ from text to text.
",
    imitations: &[|case| imitate(&Rules { uniform_over_real: false, ..RIGHT }, case)],
    cuts: &[],
};
