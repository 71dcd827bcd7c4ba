//! Positions that never arrive.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Positions, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "texts-without-positions",
    task: "classifier",
    summary: "no position is added to the tokens",
    page: "\
## What we saw

Two words that change places leave the logits as they are. Everything else is as it should be, and
texts of one word are right but for the row that is missing.

## Why it is wrong

Attention has no order of its own: it compares every word with every other, and knows nothing of
where they stand. What comes out for a word is the same wherever the words around it are. A mean
over those outputs is then a property of the bag of words. Where two things are named and the
order says which of them counts, such a model can only guess, and its accuracy stays near the
share of the more frequent guess however long it trains. The table of positions is asked for and
never learns.

## Where to look

Follow one token from its id to the query. Where does the number of its place enter? Swap two
words of a text by hand and compare the logits.
",
    imitations: &[
        |case| {
            imitate(
                &Rules { positions: Positions::Missing, refuses_too_long: false, ..RIGHT },
                case,
            )
        },
        |case| imitate(&Rules { positions: Positions::Missing, ..RIGHT }, case),
    ],
    cuts: &[],
};
