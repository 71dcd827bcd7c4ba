//! One projection for query, key and value.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "one-projection-for-all",
    task: "multi-head",
    summary: "query, key and value all go through q_proj",
    page: "\
## What we saw

Queries, keys and values pass through one and the same projection, while two others are asked for
and never used. Shapes are right, and rows of the weights sum to one. In self-attention each
position likes itself best, as its query and its key are the same.

## Why it is wrong

The three roles are different questions: what am I looking for, what can be found at me, and what
do I pass on (section 3.2.2 of Vaswani et al. 2017 gives each its own matrix). With one matrix,
the score of `i` for `j` is the score of `j` for `i`: a verb that looks for its subject is looked
at by the subject just as much. A whole class of patterns cannot be learnt, and two thirds of the
parameters are dead weight.

## Where to look

Three lines of your code look nearly alike. Read them character by character: which name was to
change from one line to the next? Copying a line and changing it twice goes wrong at the third
change.
",
    imitations: &[
        |case| {
            imitate(
                &Rules {
                    projections: [Some("q_proj"), Some("q_proj"), Some("q_proj"), Some("out_proj")],
                    ..RIGHT
                },
                case,
            )
        },
        |case| {
            imitate(
                &Rules {
                    projections: [Some("k_proj"), Some("k_proj"), Some("k_proj"), Some("out_proj")],
                    ..RIGHT
                },
                case,
            )
        },
        |case| {
            imitate(
                &Rules {
                    projections: [Some("v_proj"), Some("v_proj"), Some("v_proj"), Some("out_proj")],
                    ..RIGHT
                },
                case,
            )
        },
    ],
    cuts: &[],
};
