//! What stays is not scaled.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping};
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hidden-dropout-unscaled",
    task: "feed-forward",
    summary: "numbers that dropout leaves are not scaled up",
    page: "\
## What we saw

In training, hidden numbers are dropped as they should be, and those that stay are what they were.
On the whole less arrives at the second map in training than outside of it.

## Why it is wrong

With a probability of one half, half of the sum is missing, and the second map learns to work with
that. Outside of training the whole sum arrives, twice as much as it has ever seen, and every layer
passes the surprise on. Dividing by the share that stays keeps the expected sum the same in both,
and nothing has to be changed when training ends.

## Where to look

What is the mean of your hidden numbers over many draws, in training and outside? Which factor is
missing?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { scales: false, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
