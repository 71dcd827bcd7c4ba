//! Mistakes in masked pooling.

use softmark_exam::{Mistake, mistake};

use crate::imitate::pooling::{
    LEFT_OUT, Nothing, Over, Padding, RIGHT, Rule, Rules, Token, imitate,
};

/// Padding is taken for tokens, and a sequence of it is no special case.
const IGNORED: Rule = Rule { padding: Padding::Included, nothing: Nothing::AsComputed, ..LEFT_OUT };

const INVERTED: Rule = Rule { padding: Padding::Inverted, ..LEFT_OUT };

const INVERTED_AS_COMPUTED: Rule = Rule { nothing: Nothing::AsComputed, ..INVERTED };

const OVER_EXAMPLES: Rule = Rule { over: Over::Examples, ..LEFT_OUT };

const REFUSED: Rule = Rule { refuses_strided: true, ..LEFT_OUT };

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "pooling-ignores-mask",
        &[|case| imitate(&Rules { mean: IGNORED, max: IGNORED, first: IGNORED }, case)]
    ),
    mistake!(
        "pooling-mask-inverted",
        &[
            |case| imitate(&Rules { mean: INVERTED, max: INVERTED, first: INVERTED }, case),
            |case| {
                imitate(
                    &Rules {
                        mean: INVERTED_AS_COMPUTED,
                        max: INVERTED_AS_COMPUTED,
                        first: INVERTED_AS_COMPUTED,
                    },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "first-ignores-mask",
        &[
            |case| {
                imitate(
                    &Rules { first: Rule { padding: Padding::Included, ..LEFT_OUT }, ..RIGHT },
                    case,
                )
            },
            |case| {
                imitate(
                    &Rules {
                        first: Rule {
                            padding: Padding::Included,
                            nothing: Nothing::AsComputed,
                            ..LEFT_OUT
                        },
                        ..RIGHT
                    },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "first-of-batch",
        &[
            |case| {
                imitate(
                    &Rules {
                        first: Rule {
                            padding: Padding::Included,
                            nothing: Nothing::AsComputed,
                            over: Over::Examples,
                            ..LEFT_OUT
                        },
                        ..RIGHT
                    },
                    case,
                )
            },
            |case| imitate(
                &Rules { first: Rule { over: Over::Examples, ..LEFT_OUT }, ..RIGHT },
                case
            ),
        ]
    ),
    mistake!(
        "last-instead-of-first",
        &[|case| {
            imitate(&Rules { first: Rule { token: Token::Last, ..LEFT_OUT }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "max-over-padding",
        &[
            |case| {
                imitate(
                    &Rules { max: Rule { padding: Padding::Included, ..LEFT_OUT }, ..RIGHT },
                    case,
                )
            },
            |case| {
                imitate(
                    &Rules {
                        max: Rule {
                            padding: Padding::Included,
                            nothing: Nothing::AsComputed,
                            ..LEFT_OUT
                        },
                        ..RIGHT
                    },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "max-zero-for-padding",
        &[|case| {
            imitate(
                &Rules { max: Rule { padding: Padding::SetTo(0.0), ..LEFT_OUT }, ..RIGHT },
                case,
            )
        }]
    ),
    mistake!(
        "mean-divided-by-length",
        &[|case| {
            imitate(
                &Rules { mean: Rule { padding: Padding::SetTo(0.0), ..LEFT_OUT }, ..RIGHT },
                case,
            )
        }]
    ),
    mistake!(
        "mean-over-padding",
        &[
            |case| {
                imitate(
                    &Rules { mean: Rule { padding: Padding::Included, ..LEFT_OUT }, ..RIGHT },
                    case,
                )
            },
            |case| {
                imitate(
                    &Rules {
                        mean: Rule {
                            padding: Padding::Included,
                            nothing: Nothing::AsComputed,
                            ..LEFT_OUT
                        },
                        ..RIGHT
                    },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "pooling-over-batch",
        &[
            |case| imitate(&Rules { mean: OVER_EXAMPLES, max: OVER_EXAMPLES, ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules { mean: OVER_EXAMPLES, max: OVER_EXAMPLES, first: OVER_EXAMPLES },
                    case,
                )
            },
            |case| imitate(&Rules { mean: OVER_EXAMPLES, ..RIGHT }, case),
            |case| imitate(&Rules { max: OVER_EXAMPLES, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "empty-mask-first-token",
        &[|case| {
            imitate(
                &Rules { first: Rule { nothing: Nothing::FirstPosition, ..LEFT_OUT }, ..RIGHT },
                case,
            )
        }]
    ),
    mistake!(
        "empty-mask-infinite",
        &[|case| {
            imitate(
                &Rules {
                    max: Rule { nothing: Nothing::Number(f64::NEG_INFINITY), ..LEFT_OUT },
                    ..RIGHT
                },
                case,
            )
        }]
    ),
    mistake!(
        "empty-mask-nan",
        &[|case| {
            imitate(
                &Rules { mean: Rule { nothing: Nothing::AsComputed, ..LEFT_OUT }, ..RIGHT },
                case,
            )
        }]
    ),
    mistake!(
        "first-detached",
        &[|case| imitate(&RIGHT, case)],
        &[|case, _, _| case.get_size("kind") == 2]
    ),
    mistake!(
        "strided-input-refused",
        &[
            |case| imitate(&Rules { first: REFUSED, ..RIGHT }, case),
            |case| imitate(&Rules { mean: REFUSED, max: REFUSED, first: REFUSED }, case),
        ]
    ),
];
