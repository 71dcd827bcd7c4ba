//! The first layers learn.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "first-layers-unfrozen",
    task: "partial",
    summary: "the first layers learn, and the last ones are frozen",
    page: "\
## What we saw

Every logit is right, and as many layers learn as should. But they are counted from the front: the
first ones learn, and the last ones stay as they are.

## Why it is wrong

Early layers know about words and word order, which are the same for every task; the late ones are
tied to what the encoder was pretrained for, and are the ones to change. Here it is the wrong way
round: what is common is bent, and what is special has to cope with it. It is slower too, since
the way back passes every frozen layer before it gets to those that learn. With all layers
unfrozen, or with none, nothing shows.

## Where to look

Take an encoder of six layers of which two learn. Which numbers do your rule's names contain?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[|case, _, to| {
        let of_first = |n: usize| to.starts_with(&format!("base.layers.{n}."));
        to.starts_with("base.") && !(0..case.get_size("unfrozen")).any(of_first)
    }],
};
