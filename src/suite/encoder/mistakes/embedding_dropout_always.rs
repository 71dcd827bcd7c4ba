//! Dropout outside of training.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping, When};
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "embedding-dropout-always",
    task: "encoder",
    summary: "embedded tokens are dropped outside of training as well",
    page: "\
## What we saw

With `train` false and a probability above zero, parts of the embedded tokens are missing all the
same.

## Why it is wrong

Outside of training nothing should be left out: a word that is dropped then is simply not read.
Accuracies come out lower than they are and differ from run to run, early stopping follows the luck
of the draw, and the same text gets two answers. Whoever looks for the reason looks at the layers
first, where all is right.

## Where to look

What is handed to the dropout before the first layer as its second argument? Is it what came in?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { when: When::Always, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
