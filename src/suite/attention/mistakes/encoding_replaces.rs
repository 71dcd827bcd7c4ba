//! An encoding in place of the input.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoding-replaces",
    task: "sinusoidal-position",
    summary: "the encoding is returned alone, without the input",
    page: "\
## What we saw

The output is the same for every input: the sines and cosines alone. For an input of zeros it is
right. No gradient comes back to the input, since the output does not depend on it.

## Why it is wrong

What comes out of this layer is all that the layers above ever learn of a token. If it is the
position alone, every sentence of the same length is the same sentence, and the model can do no
better than to guess the most frequent class. Its loss falls to that level within a few steps and
stays there, which looks like a learning rate that is too small.

## Where to look

Follow `x` through `encode`: where is it used, other than for its shape? The name of the function
invites the error, since it sounds as if the encoding itself were wanted; the documentation of the
trait says what is to be returned. Try two different inputs and look at the difference of their
outputs.
",
    imitations: &[|case| imitate(&Rules { combine: Combine::Replace, ..RIGHT }, case)],
    cuts: &[],
};
