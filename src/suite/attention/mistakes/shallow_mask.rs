//! A mask that lowers scores by a number that is large, but not large enough.

use softmark_checks::Case;

use crate::suite::attention::imitate::attention::{EmptyRow, Masking, RIGHT, Rules, imitate};
use crate::suite::{Given, Mistake};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "shallow-mask",
    task: "scaled-dot-product",
    summary: "the mask lowers scores by a large number, and scores that are larger get past it",
    page: "\
## What we saw

With ordinary inputs all is right. Where hidden keys are so large that their scores come to more
than the number they are lowered by, such as 10⁴ or 10⁹, they take part again, and can take all the
weight of a row.

## Why it is wrong

Adding a constant to a hidden score leaves the score inside the sum: the result still depends on
it, and only the exponential's underflow makes the dependence vanish. As long as scores are small
that works; −10⁴ became a habit because half precision holds nothing below −65504. But nothing
bounds a score, and in a model whose weights have grown, or have gone wrong, the mask gives way
without a word. A mask should hold whatever is behind it.

## Where to look

Ask what is left of a hidden key's own score in the number that goes into the softmax. Is it still
in there, under a handicap, or has it been replaced? Try a hidden key whose score is 10⁵ and watch
the weights.
",
    imitations: &[
        |case| imitate(&Rules { masking: Masking::Adds(0.0, -1e4), ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { masking: Masking::Adds(0.0, -1e4), empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
        |case| imitate(&Rules { masking: Masking::Adds(0.0, -1e5), ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { masking: Masking::Adds(0.0, -1e5), empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
        |case| zeroed(-1e4, case),
        |case| zeroed(-1e5, case),
        |case| zeroed(-1e9, case),
        |case| imitate(&Rules { masking: Masking::Adds(0.0, -1e9), ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { masking: Masking::Adds(0.0, -1e9), empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
    ],
    cuts: &[],
};

/// Attention in which `number` is added to hidden scores, and hidden weights are set to zero at the end.
fn zeroed(number: f64, case: &Case) -> Given {
    imitate(&Rules { masking: Masking::Adds(0.0, number), zeroes_hidden: true, ..RIGHT }, case)
}
