//! Embeddings that do not learn.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "embeddings-detached",
    task: "encoder",
    summary: "no gradient arrives at the two embeddings",
    page: "\
## What we saw

Every number is right, and gradients arrive at all layers. None arrives at the tables of tokens and
positions.

## Why it is wrong

Most of a small model's parameters stand in its token table, here three quarters of them. Without
gradients the words keep the random vectors that they began with, and the layers must make do:
similar words never become similar, and accuracy stays low, though the loss falls. In candle a
tensor loses its history by `detach`, and by being rebuilt from plain numbers.

## Where to look

Go backwards from the first layer to the tables. Which step would candle not know how to undo?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| to.ends_with("_embedding.weight")],
};
