//! A text of padding alone makes the distance NaN.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{EmptyText, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-text-spoils-distance",
    task: "statistics",
    summary: "a text of padding alone makes the distance NaN",
    page: "\
## What we saw

One text of a batch had no real token, and `from_uniform` was not a number for any head, though the
other texts had many. `entropy` and `on_padding` were right.

## Why it is wrong

A text of padding alone has no real query, so it plays no part in any mean. Uniform, for its
queries, would be one divided by zero: an infinity that is multiplied with zero afterwards is not
zero but NaN, and a mean over the batch takes it in. Batches with an empty text are rare in
training and common in a service, where somebody sends nothing.

## Where to look

Where is something divided by the number of real tokens of a text? What stands there for a text
that has none, and does it leave the sum again?
",
    imitations: &[|case| imitate(&Rules { empty_text: EmptyText::Divided, ..RIGHT }, case)],
    cuts: &[],
};
