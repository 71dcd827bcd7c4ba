//! A head without its bias.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-without-bias",
    task: "classifier",
    summary: "the head is used without its bias",
    page: "\
## What we saw

The logits lack the bias of the head. A text of padding alone gets zeros for every class.

## Why it is wrong

Classes are seldom equally frequent, and the bias is where a classifier keeps how frequent each is,
before it has read a word. Without it the texts themselves have to carry that, and a text without a
telling word is given to a class by accident. Candle makes maps with and without a bias by two
functions whose names differ in a suffix.

## Where to look

Hold the table of parameters beside your constructor. Which name does nothing ask for?
",
    imitations: &[|case| imitate(&Rules { biased: false, ..RIGHT }, case)],
    cuts: &[],
};
