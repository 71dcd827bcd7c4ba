//! An activation around the head.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{Ends, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "activation-at-head",
    task: "classifier",
    summary: "an activation stands before or after the head",
    page: "\
## What we saw

Where the numbers are positive or small all is right; else they are bent: nothing below zero comes
out, or nothing beyond one goes in.

## Why it is wrong

A logit says by its sign and size how sure the model is, and needs the whole line of numbers. Cut
off at zero, all classes that are unlikely are equally so, and no gradient arrives where an answer
is wrongly zero. Some heads have a hidden layer with an activation, and BERT's pooler a tanh; this
one is a single linear map.

## Where to look

What stands between the mean and the head, and what after it? The formula has three lines.
",
    imitations: &[
        |case| imitate(&Rules { ends: Ends::Relu, ..RIGHT }, case),
        |case| imitate(&Rules { ends: Ends::Sigmoid, ..RIGHT }, case),
        |case| imitate(&Rules { squashes: true, ..RIGHT }, case),
    ],
    cuts: &[],
};
