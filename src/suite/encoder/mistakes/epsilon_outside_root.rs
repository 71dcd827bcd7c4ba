//! ε is added to the root.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{NORM, Norm};
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "epsilon-outside-root",
    task: "encoder-layer",
    summary: "ε is added to the standard deviation instead of to the variance",
    page: "\
## What we saw

With numbers of ordinary size the difference is in the sixth digit. With small ones the norms
divide by too little: ε stands outside of the root.

## Why it is wrong

Under the root, ε = 1e-5 keeps the divisor above 0.003; outside of it, above 0.00001. A token whose
channels hardly differ, such as one of padding, is then enlarged by three hundred times more, and
what is enlarged is mostly rounding. The formula looks the same at a glance, and most tests do too.

## Where to look

Write the divisor of the formula and your own with a variance of zero. What do the two come to?
",
    imitations: &[|case| imitate(&Rules { norm: Norm { outside: true, ..NORM }, ..RIGHT }, case)],
    cuts: &[],
};
