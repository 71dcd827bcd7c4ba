//! A head without its bias.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tuned-head-without-bias",
    task: "prefix",
    summary: "the head is used without its bias",
    page: "\
## What we saw

The logits lack the bias of the head. A text of padding alone gets zeros for every class.

## Why it is wrong

Classes are seldom equally frequent, and the bias is where a classifier keeps how frequent each
is, before it has read a word. Without it the prefix has to put that into every text by way of a
frozen encoder, which is a long way round for a constant. The checkpoint then lacks a parameter as
well, and whoever loads it elsewhere is told so. Candle makes maps with and without a bias by two
functions whose names differ in a suffix.

## Where to look

Hold the table of parameters beside your constructor. Which name does nothing ask for?
",
    imitations: &[|case| imitate(&Rules { unbiased: true, ..RIGHT }, case)],
    cuts: &[],
};
