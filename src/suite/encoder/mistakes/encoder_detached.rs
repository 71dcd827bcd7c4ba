//! The way back ends at the head.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-detached",
    task: "classifier",
    summary: "no gradient passes from the head to the encoder",
    page: "\
## What we saw

Every logit is right. Gradients arrive at the head, and nowhere below it.

## Why it is wrong

The head then learns to make the best of a random encoder: the loss falls for a while, accuracy
rises above chance, and stays there. It is what one wants where an encoder is frozen on purpose,
and just what one does not want elsewhere; nothing in the numbers tells the two apart. In candle a
tensor loses its history by `detach`, and by being rebuilt from plain numbers.

## Where to look

Go backwards from the head to the encoder's output. Which step would candle not know how to undo?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| !to.starts_with("classifier.")],
};
