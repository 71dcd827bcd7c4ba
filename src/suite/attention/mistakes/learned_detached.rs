//! A table that is not learned.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-detached",
    task: "learned-position",
    summary: "no gradient arrives at the table of positions",
    page: "\
## What we saw

Every number that comes out is right, and the gradient passes to the input as it should. None
arrives at `position_embedding.weight`: the table is added as a constant.

## Why it is wrong

What sets this encoding apart from sines and cosines is that it is trained. Without a gradient it
stays at the random numbers that it started with, for ever, and no error says so: an optimizer
skips parameters for which nothing came back. Random rows do tell positions apart, so the model
works after a fashion, which makes it harder to notice. In candle a tensor loses its history by
`detach`, and by being made anew from plain numbers, such as those that `to_vec2` gives; the
parameters that the builder hands out have one.

## Where to look

Go backwards from the sum to the table. Which step would candle not know how to undo? In a test,
sum the output, call `backward`, and look whether the store has something for the table.
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| to == "position_embedding.weight"],
};
