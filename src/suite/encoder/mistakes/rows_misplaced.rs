//! Rows in the wrong places.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "rows-misplaced",
    task: "glove",
    summary: "vectors stand in other rows than those of their words",
    page: "\
## What we saw

The right vectors are in the table, but not where they belong: every row is one off, or they follow
the order of the file instead of the vocabulary's.

## Why it is wrong

A row's number is the token's id, and nothing else ties a vector to its word. Where rows are
shifted, each word begins with its neighbour's meaning, which is worse than a random start, for it
has to be unlearned. The model trains, and the published vectors seem to be of no use: the
conclusion that is drawn is wrong.

## Where to look

Which number decides about the row that a word's vector goes to? Check the first two words of the
vocabulary by hand.
",
    imitations: &[
        |case| imitate(&Rules { shifted: true, ..RIGHT }, case),
        |case| imitate(&Rules { in_order_of_file: true, ..RIGHT }, case),
    ],
    cuts: &[],
};
