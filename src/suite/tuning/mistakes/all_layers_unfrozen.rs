//! Every layer learns.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "all-layers-unfrozen",
    task: "partial",
    summary: "every layer learns, however many `unfrozen` says",
    page: "\
## What we saw

Every logit is right, and the tables stay as they are. Gradients arrive at all layers, with one of
them unfrozen and with none.

## Why it is wrong

How many layers to tune is the one question of this task, and Lee et al. found that a quarter of
them gives nine tenths of the quality. Here each answer trains the same model: the curves for one,
two and four layers lie upon one another, and the conclusion that it makes no difference is drawn
from an experiment that was never made. With as many unfrozen as there are, nothing shows.

## Where to look

Where does the number of unfrozen layers come into your rule about names? Ask it by hand about the
first layer of four, with one unfrozen.
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|_, _, to| to.starts_with("base.") && !to.starts_with("base.layers.")],
};
