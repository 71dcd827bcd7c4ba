//! No dropout on the embedding.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping, When};
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "embedding-dropout-missing",
    task: "encoder",
    summary: "embedded tokens are not dropped in training",
    page: "\
## What we saw

In training, what goes into the first layer is what it is outside of training: nothing is dropped.

## Why it is wrong

Vaswani et al. drop the sums of tokens and positions as well (section 5.4), so that no layer relies
on a single channel of a single word. It is the dropout that is forgotten most easily, as it stands
outside of the layers.

## Where to look

Mark each `dropout` in the formulas of Encoder and EncoderLayer, and count those in your code. What
stands between the sum of the tables and the first layer?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { when: When::Never, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
