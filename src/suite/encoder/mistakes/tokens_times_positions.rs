//! Positions are multiplied.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Positions, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tokens-times-positions",
    task: "encoder",
    summary: "tokens and positions are multiplied instead of added",
    page: "\
## What we saw

What goes into the first layer is the product of a token's row and its position's row. Where either
is near zero, so is the result.

## Why it is wrong

A sum keeps both: a layer can read the token in one direction and the place in another. In a
product each channel of the token is turned up or down by where it stands, and a position with a
zero in some channel wipes that channel out for every token. Padding, whose row counts as zeros,
loses its place altogether. It trains, and the shapes are those of the sum.

## Where to look

Which operation brings the two tables together, and which does the formula have?
",
    imitations: &[|case| imitate(&Rules { positions: Positions::Multiplied, ..RIGHT }, case)],
    cuts: &[],
};
