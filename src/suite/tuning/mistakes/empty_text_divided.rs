//! A mean of nothing.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-text-divided",
    task: "prefix",
    summary: "a text of padding alone comes to NaN",
    page: "\
## What we saw

Texts with real tokens are right. One whose mask is 0 throughout gets `NaN` for every class,
prefix or not.

## Why it is wrong

Zero divided by zero is `NaN`, and `NaN` is catching: through the loss it reaches the gradient of
the prefix and of the head, and after one step all that was tuned is `NaN`. The encoder, being
frozen, stays well, which does not help. A single line of which cleaning left nothing is enough to
lose a night's training. The documentation says what such a text is pooled to.

## Where to look

How many real tokens does it have, and what do you do with that number? What could it be kept from
becoming?
",
    imitations: &[|case| imitate(&Rules { unguarded: true, ..RIGHT }, case)],
    cuts: &[],
};
