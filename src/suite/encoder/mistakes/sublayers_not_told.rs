//! A sublayer does not hear that it learns.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sublayers-not-told",
    task: "encoder-layer",
    summary: "a sublayer is not told that the model is learning",
    page: "\
## What we saw

In training, what the sublayers give is dropped by the layer as it should be. But at least one
sublayer drops nothing inside of itself: it answers as it does outside of training.

## Why it is wrong

There is dropout in three places of a layer: on what each sublayer gives, on the weights of the
attention, and on the hidden numbers of the network. The last two are in the hands of the sublayers,
which know whether the model is learning only from what they are told. Left out there, dropout loses
most of its effect, no error says so, and the model learns the training examples by heart.

## Where to look

Each of the two sublayers has an argument that says whether the model is learning. What do you hand
to each of them, in both placements of the norms?
",
    imitations: &[
        |case| imitate(&Rules { tells: [false; 2], ..RIGHT }, case),
        |case| imitate(&Rules { tells: [false, true], ..RIGHT }, case),
        |case| imitate(&Rules { tells: [true, false], ..RIGHT }, case),
    ],
    cuts: &[],
};
