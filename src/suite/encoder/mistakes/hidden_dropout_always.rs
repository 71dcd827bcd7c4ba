//! Dropout outside of training.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping, When};
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hidden-dropout-always",
    task: "feed-forward",
    summary: "dropout is at work outside of training as well",
    page: "\
## What we saw

With `train` false and a probability above zero, hidden numbers are still set to zero, other ones
for each input. The same question gets another answer than without dropout.

## Why it is wrong

A model is asked outside of training to do its best, and with everything that it has. Dropout then
only takes away: accuracies come out lower than they are, they change from run to run, and a
validation curve says more about luck than about the model. It also makes early stopping stop at
the wrong place.

## Where to look

What is handed to your dropout as the second argument, and does it come from the caller or from
somewhere else?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { when: When::Always, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
