//! The projections of query and key, swapped.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "query-key-projections-swapped",
    task: "multi-head",
    summary: "queries go through k_proj and keys through q_proj",
    page: "\
## What we saw

Queries pass through `k_proj` and keys through `q_proj`. Changing `q_proj` of one head moves that
head's weights, as it should, but by way of the keys, so a shift of its bias does what a shift of
the other one should. With a single key nothing shows, for then the weights are 1.

## Why it is wrong

In self-attention this turns the table of scores over: position `i` attends to `j` as `j` should
attend to `i`. Trained from scratch, the two projections would simply learn each other's part.
With weights that were trained elsewhere, which are stored by name, a model gets another meaning
without any error: \"who is my subject\" becomes \"whose subject am I\".

## Where to look

Read the lines that make queries and keys from both ends: what goes in, through which projection,
under which name does it come out? Look at the constructor too. A test with two positions and an
asymmetric `q_proj` tells the two apart.
",
    imitations: &[|case| {
        imitate(
            &Rules {
                projections: [Some("k_proj"), Some("q_proj"), Some("v_proj"), Some("out_proj")],
                ..RIGHT
            },
            case,
        )
    }],
    cuts: &[],
};
