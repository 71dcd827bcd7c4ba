//! Values that skip their projection.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "value-not-projected",
    task: "multi-head",
    summary: "values go to attention without passing v_proj",
    page: "\
## What we saw

The weights are right. The output is what `out_proj` makes of the values as they were handed in:
`v_proj` has no part in it. With a single key, where attention has nothing to choose, it shows
most clearly.

## Why it is wrong

The projection of the values decides what a position passes on, as those of query and key decide
where to look. Without it, a head gets the channels that happen to stand at its place, and all it
can do is copy them: head 0 always passes on the first few channels of the model. In section 3.2.2
of Vaswani et al. 2017 all three are projected, each head by matrices of its own. The parameters
of `v_proj` are there, get no gradient, and never change.

## Where to look

Three tensors come in, and three go to the attention inside. On the way of each, which lines does
it pass? One of them takes a shorter way than the others.
",
    imitations: &[|case| {
        imitate(
            &Rules {
                projections: [Some("q_proj"), Some("k_proj"), None, Some("out_proj")],
                ..RIGHT
            },
            case,
        )
    }],
    cuts: &[],
};
