//! A mean over nothing.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, Nothing, RIGHT, Rule, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-mask-nan",
    task: "masked-pooling",
    summary: "the mean over padding alone is NaN",
    page: "\
## What we saw

Where every position of a sequence is padding, its mean is `NaN` in every channel. Every sequence
with a real token is right, and so are maximum and first token.

## Why it is wrong

A mean is a sum divided by a count. Without a real token both are zero, and zero over zero is no
number. Empty texts do occur: a review of emoji alone, whose tokens are all unknown and were
dropped, or the last batch that was filled up to size. One `NaN` is enough: it makes the mean of
the losses `NaN`, then every gradient, and after one step every parameter. From then on the model
answers `NaN` to everything, and the example that did it is long gone.

## Where to look

Which division does your code make, and what do you know about the number below the line? What
does the documentation of the trait want for a sequence without tokens? Try a batch of two in
which only the second is empty.
",
    imitations: &[|case| {
        imitate(&Rules { mean: Rule { nothing: Nothing::AsComputed, ..LEFT_OUT }, ..RIGHT }, case)
    }],
    cuts: &[],
};
