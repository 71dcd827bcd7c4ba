//! Mistakes in embeddings from GloVe vectors.

use softmark_exam::{Mistake, mistake};

use crate::imitate::glove::{Missing, RIGHT, Ragged, Rules, Spelling, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "padding-gets-a-vector",
        &[|case| imitate(&Rules { clears_padding: false, ..RIGHT }, case)]
    ),
    mistake!(
        "rows-misplaced",
        &[
            |case| imitate(&Rules { shifted: true, ..RIGHT }, case),
            |case| imitate(&Rules { in_order_of_file: true, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "missing-words-alike",
        &[
            |case| imitate(&Rules { missing: Missing::Zeros, ..RIGHT }, case),
            |case| imitate(&Rules { missing: Missing::Mean, ..RIGHT }, case),
            |case| imitate(&Rules { missing: Missing::Shared, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "missing-words-spread",
        &[
            |case| imitate(&Rules { missing: Missing::Fixed(1.0), ..RIGHT }, case),
            |case| imitate(&Rules { missing: Missing::WithinDeviation, ..RIGHT }, case),
            |case| imitate(&Rules { missing: Missing::Fixed(0.1), ..RIGHT }, case),
            |case| imitate(&Rules { missing: Missing::Fixed(0.02), ..RIGHT }, case),
        ]
    ),
    mistake!(
        "missing-words-unseeded",
        &[|case| imitate(&Rules { missing: Missing::Unseeded, ..RIGHT }, case)]
    ),
    mistake!(
        "spelling-looked-up",
        &[
            |case| imitate(&Rules { spelling: Spelling::Written, ..RIGHT }, case),
            |case| imitate(&Rules { spelling: Spelling::Lower, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "last-line-counts",
        &[|case| imitate(&Rules { last_line_counts: true, ..RIGHT }, case)]
    ),
    mistake!(
        "ragged-lines-taken",
        &[
            |case| imitate(&Rules { ragged: Ragged::Skipped, ..RIGHT }, case),
            |case| imitate(&Rules { ragged: Ragged::Fitted, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "ragged-lines-panic",
        &[|case| imitate(&Rules { ragged: Ragged::Panicked, ..RIGHT }, case)]
    ),
    mistake!(
        "fields-taken-for-numbers",
        &[
            |case| imitate(&Rules { takes_not_finite: true, ..RIGHT }, case),
            |case| imitate(&Rules { no_number: Ragged::Fitted, ..RIGHT }, case),
            |case| imitate(&Rules { no_number: Ragged::Skipped, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "fields-panic",
        &[|case| imitate(&Rules { no_number: Ragged::Panicked, ..RIGHT }, case)]
    ),
    mistake!(
        "other-files-taken",
        &[|case| imitate(&Rules { takes_other_files: true, ..RIGHT }, case)]
    ),
    mistake!(
        "coverage-miscounted",
        &[
            |case| imitate(&Rules { counts_lines: true, ..RIGHT }, case),
            |case| imitate(&Rules { counts_padding: true, ..RIGHT }, case),
        ]
    ),
];
