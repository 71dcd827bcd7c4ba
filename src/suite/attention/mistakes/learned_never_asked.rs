//! A table that has no part in the output.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-never-asked",
    task: "learned-position",
    summary: "the table of positions has no part in the output",
    page: "\
## What we saw

The output is the input, unchanged: no row of `position_embedding.weight` is added, whatever the
table holds, and no gradient comes back to it.

## Why it is wrong

There are two ways to get there. The table is asked for and then not used; or it is never asked
for, and one of zeros is made in its place, which adds nothing and looks as if it did. Parameters
have to come from the `VarBuilder`: that is how an optimizer learns of them, how a checkpoint
finds its way into them, and how the grader hands every submission the same numbers. A tensor of
one's own is a constant for all of these. The model then sees a bag of words.

## Where to look

Where does the tensor that you add come from? Follow it back through `encode` into `new`, up to
the `VarBuilder` or to wherever else it was made. Does the compiler warn of a variable or a field
that is never read?
",
    imitations: &[|case| imitate(&Rules { combine: Combine::Omit, ..RIGHT }, case)],
    cuts: &[],
};
