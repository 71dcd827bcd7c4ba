//! Positions before every layer.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Positions, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "positions-before-each-layer",
    task: "encoder",
    summary: "positions are added before every layer anew",
    page: "\
## What we saw

With one layer all is right. From the second on, the rows of the positions are added once more
before each.

## Why it is wrong

Some models do so, and by another name this would be one of them. Here the positions enter once:
the residual connections carry them along, and what the first layers have made of them is not
covered up again. With each addition the positions weigh more against what the layers have found,
the more so the deeper the stack.

## Where to look

Is the sum with the positions inside of the loop over the layers or before it?
",
    imitations: &[|case| imitate(&Rules { positions: Positions::EachLayer, ..RIGHT }, case)],
    cuts: &[],
};
