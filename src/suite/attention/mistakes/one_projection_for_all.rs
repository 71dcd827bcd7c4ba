//! One projection for query, key and value.

use softmark_checks::Case;

use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};
use crate::suite::{Given, Mistake};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "one-projection-for-all",
    task: "multi-head",
    summary: "two or three of query, key and value go through the same projection",
    page: "\
## What we saw

Two of queries, keys and values, or all three, pass through one and the same projection, and
another is asked for and never used. Shapes are right, and rows of the weights sum to one. Where
queries and keys share one, each position of self-attention likes itself best.

## Why it is wrong

The three roles are different questions: what am I looking for, what can be found at me, and what
do I pass on (section 3.2.2 of Vaswani et al. 2017 gives each its own matrix). With one matrix for
queries and keys, the score of `i` for `j` is the score of `j` for `i`: a verb that looks for its
subject is looked at by the subject just as much. A whole class of patterns cannot be learnt, and
the parameters that are never used are dead weight.

## Where to look

Three lines of your code look nearly alike. Read them character by character: which name was to
change from one line to the next? Copying a line and changing it twice goes wrong at the third
change.
",
    imitations: &[
        |case| shared(["q_proj", "q_proj", "q_proj"], case),
        |case| shared(["k_proj", "k_proj", "k_proj"], case),
        |case| shared(["v_proj", "v_proj", "v_proj"], case),
        |case| shared(["q_proj", "q_proj", "v_proj"], case),
        |case| shared(["k_proj", "k_proj", "v_proj"], case),
        |case| shared(["q_proj", "k_proj", "k_proj"], case),
        |case| shared(["q_proj", "k_proj", "q_proj"], case),
        |case| shared(["q_proj", "v_proj", "v_proj"], case),
        |case| shared(["v_proj", "k_proj", "v_proj"], case),
    ],
    cuts: &[],
};

/// Queries, keys and values through the projections of these names.
fn shared([q, k, v]: [&'static str; 3], case: &Case) -> Given {
    let projections = [Some(q), Some(k), Some(v), Some("out_proj")];
    imitate(&Rules { projections, ..RIGHT }, case)
}
