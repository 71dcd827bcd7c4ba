//! A file with none of the words.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "other-files-taken",
    task: "glove",
    summary: "a file that has none of the words is no error",
    page: "\
## What we saw

Where none of the vocabulary is in the file, a table comes out all the same: the deviation of no
numbers is `NaN`, or a guess stands in for it.

## Why it is wrong

Not one word in common is no accident: it is another language, another format, or a file with a
header that makes everything off by one. A table of `NaN` ruins the model at the first step, and a
table of random numbers hides that the vectors were never used; both are found late, if at all. An
error says it at once.

## Where to look

What is the deviation of no numbers at all? Look at what your code makes of an empty list.
",
    imitations: &[|case| imitate(&Rules { takes_other_files: true, ..RIGHT }, case)],
    cuts: &[],
};
