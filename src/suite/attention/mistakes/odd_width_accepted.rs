//! An odd width that is not refused.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "odd-width-accepted",
    task: "sinusoidal-position",
    summary: "an odd width is accepted",
    page: "\
## What we saw

With an odd width, `new` builds an encoding all the same, whose last channel has a sine without
its cosine. Every even width is right.

## Why it is wrong

The encoding is made of pairs: the sine and the cosine of one angle. Only the two together say
where on its circle an angle is, and only for pairs does it hold that moving on by `k` positions
is a rotation, the same at every position. That is what the authors chose it for: \"it would allow
the model to easily learn to attend by relative positions\" (section 3.5 of Vaswani et al. 2017).
An odd width is therefore most likely a slip in a configuration, and the documentation of the
trait asks that it be reported. What makes do with it lets the slip pass.

## Where to look

What does your constructor do with 5 channels? Is it by intention? The signature of `new` has a
place for what cannot be built.
",
    imitations: &[|case| imitate(&Rules { refuses_odd_width: false, ..RIGHT }, case)],
    cuts: &[],
};
