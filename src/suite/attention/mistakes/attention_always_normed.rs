//! A norm that nobody asked for.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Norm, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "attention-always-normed",
    task: "classifier",
    summary: "what the attention gives is normalised although the config does not say so",
    page: "\
## What we saw

Where the config has `norm: true` everything is right. Where it has not, the numbers of each
position still come out with mean 0 and variance 1.

## Why it is wrong

The config is what tells two models apart, and both are to be had. A norm that is always there
makes the smaller one unreachable, and a comparison of the two shows no difference where there is
one. It also changes what can be learned: the norm takes away how large an output is, which is one
of the things that the attention can say with. Weights that were trained without it give other
answers, and as there is nothing to load for it, nothing complains.

## Where to look

On what does it depend in your `forward` whether a norm is applied? Try a config without one, and
look at the mean of what you pool, channel by channel.
",
    imitations: &[|case| imitate(&Rules { norm: Norm::Always, ..RIGHT }, case)],
    cuts: &[],
};
