//! No dropout in the network.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping, When};
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hidden-dropout-missing",
    task: "feed-forward",
    summary: "dropout never happens in the feed-forward network",
    page: "\
## What we saw

In training with a high probability of dropout, the network gives exactly what it gives outside of
training. No hidden number is ever missing.

## Why it is wrong

Dropout is there so that no hidden number can rely on the company of certain others. Without it a
large network learns its training examples by heart sooner, and the accuracy on others stops rising
earlier. The loss in training looks better for it, which is why it is so easily overlooked: what is
missing is a handicap.

## Where to look

Follow `train` from the signature of `forward` to the place where something hangs on it. Does it
arrive anywhere?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { when: When::Never, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
