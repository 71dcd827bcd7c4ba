//! The prefix gets positions.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{Passes, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "prefix-given-positions",
    task: "prefix",
    summary: "rows of the table of positions are added to the prefix",
    page: "\
## What we saw

Without a prefix all is right. With one, the first rows of the encoder's table of positions are
added to its vectors before they come to the layers.

## Why it is wrong

A vector of the prefix is trained where it stands, and can hold whatever it needs to say about
that itself: the row that is added is one more constant, and no help. But the rows are those of
the first tokens, which have them too, so that prefix and tokens claim the same places. A prefix
that was trained without the rows is another one with them, and checkpoints no longer fit. It also
sets a bound to how long the prefix may be, where there is none.

## Where to look

Which tables does the formula ask for the prefix? Compare it with what it asks for the tokens.
",
    imitations: &[|case| imitate(&Rules { passes: Passes::Positions, ..RIGHT }, case)],
    cuts: &[],
};
