//! The config's activation is not looked at.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{Activation, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "one-activation-for-all",
    task: "feed-forward",
    summary: "the same activation is applied whatever the config says",
    page: "\
## What we saw

With one of the two activations everything is right; with the other, the numbers are still those of
the first. The switch in the config moves nothing.

## Why it is wrong

Whoever trains with this sets a switch and believes that it does something. Two runs that should
differ are the same run, and a checkpoint of another program gives wrong answers here without an
error. It is a kind of mistake that no amount of looking at losses finds: only a question about the
other setting does.

## Where to look

Search your file for the config's field. Where is it read, and what hangs on it? Then ask for each
of the two with a hidden number of −1.
",
    imitations: &[
        |case| imitate(&Rules { activation: Activation::Relu, ..RIGHT }, case),
        |case| imitate(&Rules { activation: Activation::Gelu, ..RIGHT }, case),
    ],
    cuts: &[],
};
