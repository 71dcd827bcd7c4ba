//! The logarithm is that to base two.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "logarithm-to-base-two",
    task: "statistics",
    summary: "the entropy is in bits",
    page: "\
## What we saw

Distance to uniform and share on padding are right. The entropy is too large by a factor of 1.44 for
every head.

## Why it is wrong

1.4427 is 1 / ln 2: with the logarithm to base two, an entropy is in bits. It is asked for in nats,
with the natural logarithm, as losses and nearly everything else in training are. Then a head that
looks at n tokens alike has ln n, which is what one compares with to see whether a head has learned
to look at anything. In other units every head seems to look more evenly than it can.

## Where to look

Look at which logarithm your entropy calls, and at what its documentation says of the base.
",
    imitations: &[|case| imitate(&Rules { natural: false, ..RIGHT }, case)],
    cuts: &[],
};
