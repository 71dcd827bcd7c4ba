//! A batch with one text of padding alone is an error.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{EmptyText, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-text-refused",
    task: "statistics",
    summary: "a batch with one text of padding alone is an error",
    page: "\
## What we saw

One text of a batch had no real token, and the whole batch ended in an error, though the other
texts had real queries to take a mean of.

## Why it is wrong

The error is for a batch without any real query: there the mean is of nothing. A text of padding
alone among others has no query that counts, and leaves the means of the others what they are. To
refuse the batch loses what is known about all the other texts because of one that says nothing.

## Where to look

Over what do you count before you decide that there is nothing to take a mean of: over a text, or
over the batch?
",
    imitations: &[|case| imitate(&Rules { empty_text: EmptyText::Refused, ..RIGHT }, case)],
    cuts: &[],
};
