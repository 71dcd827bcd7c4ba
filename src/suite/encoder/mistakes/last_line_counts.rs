//! The last line counts.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "last-line-counts",
    task: "glove",
    summary: "of a word that is listed twice, the last line counts",
    page: "\
## What we saw

Every word that stands in the file once is right. One that stands there twice has the numbers of
its last line, where the first should count.

## Why it is wrong

Files of vectors are sorted by how often a word occurs, so that of two lines the first is the
better one; the second is often a variant that cleaning brought to the same spelling, seen a few
times only. A map that overwrites silently keeps the rarer. A rule is needed in any case, or two
programs read one file differently.

## Where to look

What does your map do when a word is already there? Its documentation has two ways.
",
    imitations: &[|case| imitate(&Rules { last_line_counts: true, ..RIGHT }, case)],
    cuts: &[],
};
