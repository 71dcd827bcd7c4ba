//! One layer too many, or one too few.

use softmark_checks::Case;

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layers-miscounted",
    task: "partial",
    summary: "one layer too many learns, or one too few",
    page: "\
## What we saw

Every logit is right, and it is the last layers that learn. But there is one more of them than
`unfrozen` says, or one fewer.

## Why it is wrong

Layers are counted from zero and the unfrozen ones from the end, and where two ways of counting
meet, one is soon lost. Nothing fails: the model trains, a little more or a little less of it. The
damage is in what is reported, since each row of a table stands for another model than its label
says, and most so where it matters: with zero unfrozen, where the head alone should learn, or with
one, where now none does.

## Where to look

Try your count on an encoder of two layers, with zero, one and two unfrozen: which numbers does
the range contain each time?
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[
        |case, _, to| is_below(case, to, case.get_size("unfrozen") + 1),
        |case, _, to| is_below(case, to, case.get_size("unfrozen").saturating_sub(1)),
    ],
};

/// Whether `to` belongs to the encoder, but not to its last `n` layers.
fn is_below(case: &Case, to: &str, n: usize) -> bool {
    let layers = case.get_size("layers");
    let is_of = |layer: usize| to.starts_with(&format!("base.layers.{layer}."));
    to.starts_with("base.") && !(layers.saturating_sub(n)..layers).any(is_of)
}
