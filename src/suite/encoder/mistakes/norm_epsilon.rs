//! Another ε.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{NORM, Norm};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norm-epsilon",
    task: "encoder-layer",
    summary: "what a norm adds to the variance is not 1e-5",
    page: "\
## What we saw

With numbers of ordinary size everything is right to a few digits. With small ones, the norms
divide by too much or by too little: another ε is at work.

## Why it is wrong

ε keeps a norm from dividing by zero, and decides what becomes of tokens whose channels hardly
differ. A large one flattens them, one that is too small (or none) blows their rounding errors up
to full size, or divides zero by zero. Frameworks have different defaults, so weights that are
carried from one to another give slightly different answers, and more than slightly on padding.

## Where to look

Which number do you hand to each of the two norms, and which one stands in the formula?
",
    imitations: &[
        |case| imitate(&Rules { norm: Norm { epsilon: 1e-3, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { norm: Norm { epsilon: 1e-6, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { norm: Norm { epsilon: 1e-8, ..NORM }, ..RIGHT }, case),
        |case| imitate(&Rules { norm: Norm { epsilon: 1e-12, ..NORM }, ..RIGHT }, case),
        |case| imitate(&of_one(0, 1e-3), case),
        |case| imitate(&of_one(1, 1e-3), case),
        |case| imitate(&of_one(0, 1e-6), case),
        |case| imitate(&of_one(1, 1e-6), case),
        |case| imitate(&of_one(0, 1e-12), case),
        |case| imitate(&of_one(1, 1e-12), case),
    ],
    cuts: &[],
};

/// The rules of a layer of whose two norms this one has another ε.
fn of_one(n: usize, epsilon: f64) -> Rules {
    Rules { norm: Norm { epsilon, ..NORM }, only_norm: Some(n), ..RIGHT }
}
