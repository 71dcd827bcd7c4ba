//! A mean of nothing.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-text-not-a-number",
    task: "classifier",
    summary: "a text of padding alone comes to NaN",
    page: "\
## What we saw

Texts with real tokens are right. One whose mask is 0 throughout gets `NaN` for every class.

## Why it is wrong

Zero divided by zero is `NaN`, and `NaN` is catching: through the loss it reaches every gradient,
and after one step every parameter of the model is `NaN`. A single empty text in the training set,
such as a line of which cleaning left nothing, is enough to lose a night's training. The
documentation says what an empty text comes to.

## Where to look

What is the number of real tokens of such a text, and what do you do with it? What could it be kept
from becoming?
",
    imitations: &[|case| imitate(&Rules { guards: false, ..RIGHT }, case)],
    cuts: &[],
};
