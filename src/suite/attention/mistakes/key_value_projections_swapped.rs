//! The projections of key and value, swapped.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "key-value-projections-swapped",
    task: "multi-head",
    summary: "keys go through v_proj and values through k_proj",
    page: "\
## What we saw

Keys pass through `v_proj` and values through `k_proj`. With a single key the output shows it
plainly, since then only the value's way counts: it is what `k_proj` and `out_proj` make of the
value. Weights and output are wrong, all shapes are right.

## Why it is wrong

Trained from scratch nothing would be lost, since names are only names. But weights are stored by
name: a checkpoint trained elsewhere gives another model in this code, without an error. And what
is told of a model by name, such as \"freeze the keys, train the values\" in fine-tuning, happens to
the other one.

## Where to look

Go through the lines that make queries, keys and values, one after another, and read each from
both ends: what goes in, through which projection, under which name does it come out? Then look at
the constructor, which could just as well have swapped them when asking for parameters.
",
    imitations: &[|case| {
        imitate(
            &Rules {
                projections: [Some("q_proj"), Some("v_proj"), Some("k_proj"), Some("out_proj")],
                ..RIGHT
            },
            case,
        )
    }],
    cuts: &[],
};
