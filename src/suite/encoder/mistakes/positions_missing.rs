//! No positions.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Positions, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "positions-missing",
    task: "encoder",
    summary: "positions are never added",
    page: "\
## What we saw

The output does not hang on where a token stands: two tokens that change places take their outputs
along.

## Why it is wrong

Attention and feed-forward networks treat a sentence as a bag: nothing in them knows what comes
first. Only the rows of the positions tell. Without them the model cannot tell who did what to
whom, and classification by single telling words works nearly as well as with them, so that the
accuracy looks respectable. The table is even asked for, and never learns.

## Where to look

Where does the table of positions enter your `forward`? Swap two words of a text and look at what
changes.
",
    imitations: &[|case| imitate(&Rules { positions: Positions::Missing, ..RIGHT }, case)],
    cuts: &[],
};
