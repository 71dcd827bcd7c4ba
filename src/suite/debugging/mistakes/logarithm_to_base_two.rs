//! The logarithm is that to base two.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "logarithm-to-base-two",
    task: "statistics",
    summary: "the entropy is in bits",
    page: "\
## What we saw

Distance and share are right. The entropy is too large by a factor of 1.44.

## Why it is wrong

1.4427 is 1 / ln 2: with the logarithm to base two an entropy is in bits. It is asked for in nats,
where a head that looks at n tokens alike has ln n.

## Where to look

Look at which logarithm is called.
",
    imitations: &[|case| imitate(&Rules { natural: false, ..RIGHT }, case)],
    cuts: &[],
};
