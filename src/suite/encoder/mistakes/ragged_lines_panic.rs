//! A panic for a line of another width.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Ragged, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "ragged-lines-panic",
    task: "glove",
    summary: "a line of another width ends in a panic instead of an error",
    page: "\
## What we saw

A line with a number too many or too few ends in a panic, where an error with its number should
be returned.

## Why it is wrong

A file of vectors comes from elsewhere, and what is wrong with it is a matter between the caller
and whoever made it. An error that names the line can be shown and acted on. A panic takes the
thread with it and says something about an index or an `unwrap`, so that the one line in a
million has to be looked for by hand.

## Where to look

Which line panics, and what does it take for granted? Look for `unwrap`, `expect`, `assert` and
indexing with brackets where the fields of a line are counted or copied.
",
    imitations: &[|case| imitate(&Rules { ragged: Ragged::Panicked, ..RIGHT }, case)],
    cuts: &[],
};
