//! A mask that lowers scores by far too little.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{EmptyRow, Masking, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "leaky-mask",
    task: "scaled-dot-product",
    summary: "the mask only lowers scores by a small number",
    page: "\
## What we saw

Hidden keys keep a little weight, and with keys that are somewhat larger than usual they keep a
lot. Their values shine through in the output. In a glance at rounded weights nothing shows.

## Why it is wrong

A mask is a promise that what is hidden has no influence, not that it has less. A number like 10
or 100 looks large beside scores around 1, but scores have no upper bound: a query and a key that
fit well enough make up for any finite handicap. Then padding, or a token from the future, decides
what the model says, in the very cases in which the model is surest. We test this by making hidden
keys large and by looking whether any bit of the result moves.

## Where to look

Where does the number come from by which you lower a hidden score, and how large can a score
become? Try a hidden key a thousand times the size of the others. What, other than a larger
constant, could make its weight exactly zero?
",
    imitations: &[
        |case| imitate(&Rules { masking: Masking::Adds(0.0, -10.0), ..RIGHT }, case),
        |case| {
            imitate(
                &Rules {
                    masking: Masking::Adds(0.0, -10.0),
                    empty_row: EmptyRow::Uniform,
                    ..RIGHT
                },
                case,
            )
        },
        |case| imitate(&Rules { masking: Masking::Adds(0.0, -100.0), ..RIGHT }, case),
        |case| {
            imitate(
                &Rules {
                    masking: Masking::Adds(0.0, -100.0),
                    empty_row: EmptyRow::Uniform,
                    ..RIGHT
                },
                case,
            )
        },
        |case| imitate(&Rules { masking: Masking::Adds(0.0, -1e3), ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { masking: Masking::Adds(0.0, -1e3), empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
        |case| imitate(&Rules { masking: Masking::SetsTo(-10.0), ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { masking: Masking::SetsTo(-10.0), empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
    ],
    cuts: &[],
};
