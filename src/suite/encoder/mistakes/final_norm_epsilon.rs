//! A final norm with another ε.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{NORM, Norm};
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "final-norm-epsilon",
    task: "encoder",
    summary: "what the final norm adds to the variance is not 1e-5",
    page: "\
## What we saw

With numbers of ordinary size everything is right to a few digits. With small ones, the norm after
the last layer divides by too much or by too little: another ε is at work.

## Why it is wrong

ε keeps a norm from dividing by zero, and decides what becomes of tokens whose channels hardly
differ. A large one flattens them, one that is too small (or none) blows their rounding errors up
to full size. Frameworks have different defaults, so weights that are carried from one to another
give slightly different answers.

## Where to look

Which number do you hand to the norm after the layers, and which one stands in the formula?
",
    imitations: &[
        |case| imitate(&Rules { final_norm: Norm { epsilon: 1e-3, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { final_norm: Norm { epsilon: 1e-6, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { final_norm: Norm { epsilon: 1e-8, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { final_norm: Norm { epsilon: 1e-12, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { final_norm: Norm { epsilon: 0.0, ..NORM }, ..RIGHT }, case),
    ],
    cuts: &[],
};
