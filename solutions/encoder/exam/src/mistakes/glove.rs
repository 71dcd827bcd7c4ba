//! Mistakes in embeddings from GloVe vectors.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::glove::{Missing, RIGHT, Ragged, Rules, Spelling, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("padding-gets-a-vector", [|it| it.clears_padding = false]),
    rule_mistake!("rows-misplaced", [|it| it.shifted = true, |it| it.in_order_of_file = true]),
    rule_mistake!(
        "missing-words-alike",
        [
            |it| it.missing = Missing::Zeros,
            |it| it.missing = Missing::Mean,
            |it| it.missing = Missing::Shared,
        ]
    ),
    rule_mistake!(
        "missing-words-spread",
        [
            |it| it.missing = Missing::Fixed(1.0),
            |it| it.missing = Missing::WithinDeviation,
            |it| it.missing = Missing::Fixed(0.1),
            |it| it.missing = Missing::Fixed(0.02),
        ]
    ),
    rule_mistake!("missing-words-unseeded", [|it| it.missing = Missing::Unseeded]),
    rule_mistake!(
        "spelling-looked-up",
        [|it| it.spelling = Spelling::Written, |it| it.spelling = Spelling::Lower]
    ),
    rule_mistake!("last-line-counts", [|it| it.last_line_counts = true]),
    rule_mistake!(
        "ragged-lines-taken",
        [|it| it.ragged = Ragged::Skipped, |it| it.ragged = Ragged::Fitted]
    ),
    rule_mistake!("ragged-lines-panic", [|it| it.ragged = Ragged::Panicked]),
    rule_mistake!(
        "fields-taken-for-numbers",
        [
            |it| it.takes_not_finite = true,
            |it| it.no_number = Ragged::Fitted,
            |it| it.no_number = Ragged::Skipped,
        ]
    ),
    rule_mistake!("fields-panic", [|it| it.no_number = Ragged::Panicked]),
    rule_mistake!("other-files-taken", [|it| it.takes_other_files = true]),
    rule_mistake!(
        "coverage-miscounted",
        [|it| it.counts_lines = true, |it| it.counts_padding = true]
    ),
];
