//! Positions counted from one.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "positions-from-one",
    task: "sinusoidal-position",
    summary: "positions are counted from 1 instead of 0",
    page: "\
## What we saw

Every position has the encoding of the one after it: the first position, which should have 0 in
the even channels and 1 in the odd ones, has the sine and cosine of 1 and so on.

## Why it is wrong

For attention it makes little difference, since distances are what they were. But the encoding is
a convention between whoever trained a model and whoever uses it: with one position more, a
trained model reads each sentence as if a word were missing at its start, and gives slightly other
answers, with no error to tell. Slight differences are the hardest to find. The table also has a
last row now that belongs to no position.

## Where to look

What is the first number that your loop over positions takes, and what is the first row that goes
to a token? Hold the first row of your table against the sine and the cosine of zero, which you
know without a calculator.
",
    imitations: &[|case| imitate(&Rules { row: Row::NextPosition, ..RIGHT }, case)],
    cuts: &[],
};
