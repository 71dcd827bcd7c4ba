//! A finite number that takes the place of hidden scores.

use softmark_checks::Case;

use crate::suite::attention::imitate::attention::{EmptyRow, Masking, RIGHT, Rules, imitate};
use crate::suite::{Given, Mistake};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "filler-not-lowest",
    task: "scaled-dot-product",
    summary: "hidden scores are set to a finite number that a visible score can fall below",
    page: "\
## What we saw

With ordinary inputs all is right. Where the visible scores of a row are very negative, the
hidden keys take part in it, and can take all of its weight away from the visible ones: their
scores were set to a number such as −10⁴ or −10⁹, and the visible ones are lower still. Weights
of hidden keys that are set to zero afterwards leave a row whose weights no longer add up to one.

## Why it is wrong

A softmax looks at differences. What a hidden key's weight comes to does not hang on how negative
its score is, but on how far it is below the best score that is visible. A constant is far below
ordinary scores, and above scores that are lower than it: then what should be hidden is what is
seen.

## Where to look

Which number takes the place of a hidden score, and which score could be lower? Try a query whose
visible keys all point the other way, a thousand times as long as usual. Which number, of those
that `f32` can hold, is certain to lose?
",
    imitations: &[
        |case| filler(-100.0, EmptyRow::Zeros, case),
        |case| filler(-100.0, EmptyRow::Uniform, case),
        |case| zeroed_filler(-100.0, case),
        |case| filler(-1e3, EmptyRow::Zeros, case),
        |case| filler(-1e3, EmptyRow::Uniform, case),
        |case| zeroed_filler(-1e3, case),
        |case| filler(-1e4, EmptyRow::Zeros, case),
        |case| filler(-1e4, EmptyRow::Uniform, case),
        |case| zeroed_filler(-1e4, case),
        |case| filler(-1e5, EmptyRow::Zeros, case),
        |case| filler(-1e5, EmptyRow::Uniform, case),
        |case| zeroed_filler(-1e5, case),
        |case| filler(-1e9, EmptyRow::Zeros, case),
        |case| filler(-1e9, EmptyRow::Uniform, case),
        |case| zeroed_filler(-1e9, case),
        |case| filler(-1e10, EmptyRow::Zeros, case),
        |case| filler(-1e10, EmptyRow::Uniform, case),
        |case| zeroed_filler(-1e10, case),
    ],
    cuts: &[],
};

/// Attention in which hidden scores are set to `number`.
fn filler(number: f64, empty_row: EmptyRow, case: &Case) -> Given {
    imitate(&Rules { masking: Masking::SetsTo(number), empty_row, ..RIGHT }, case)
}

/// The same, where the weights of hidden keys are set to zero after the softmax.
fn zeroed_filler(number: f64, case: &Case) -> Given {
    imitate(&Rules { masking: Masking::SetsTo(number), zeroes_hidden: true, ..RIGHT }, case)
}
