//! An output in double precision.

use crate::suite::attention::imitate::position::{RIGHT, imitate};
use crate::suite::{Given, Mistake};

/// The same, in another type.
fn in_f64(given: Given) -> Given {
    match given {
        Given::Outputs(_) => Given::OtherType,
        Given::OtherType
        | Given::Gradients(_)
        | Given::Refused
        | Given::Panicked
        | Given::Nothing => given,
    }
}

pub(super) const MISTAKE: Mistake = Mistake {
    id: "sinusoidal-in-f64",
    task: "sinusoidal-position",
    summary: "the output is f64 instead of f32",
    page: "\
## What we saw

The numbers are right, and come as `f64` where `f32` is asked for. Every check that looks at the
output stumbles over its type.

## Why it is wrong

To compute sines and cosines in double precision is a good idea: an angle of a few thousand has
only three or four digits left behind the point in `f32`. But the model around this layer computes
in `f32`, and candle, unlike some other libraries, never converts by itself: the first operation
that brings this output and a weight together returns an error about types that do not match. A
conversion of the input to the type of the table gets rid of the error at this place and moves it
to the next one.

## Where to look

Which of the two has to give way where table and input come together, and when is the best time
for that: at every call, or once? Look at the type of each tensor on its way, in `new` and in
`encode`.
",
    imitations: &[|case| in_f64(imitate(&RIGHT, case))],
    cuts: &[],
};
