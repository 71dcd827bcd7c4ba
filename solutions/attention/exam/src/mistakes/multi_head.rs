//! Mistakes in multi-head attention.

use softmark_checks::Case;
use softmark_exam::{Mistake, Response, mistake};

use crate::imitate::multi_head::{
    Along, Arrange, Ending, RIGHT, Returned, Rules, Sources, imitate,
};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "attention-across-batch",
        &[|case| imitate(&Rules { along: Along::Examples, ..RIGHT }, case)]
    ),
    mistake!(
        "heads-interleaved",
        &[
            |case| {
                imitate(
                    &Rules { split: Arrange::Interleaved, merge: Arrange::Interleaved, ..RIGHT },
                    case,
                )
            },
            |case| imitate(&Rules { split: Arrange::Interleaved, ..RIGHT }, case),
            |case| imitate(&Rules { merge: Arrange::Interleaved, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "heads-merged-without-transpose",
        &[|case| imitate(&Rules { merge: Arrange::Untransposed, ..RIGHT }, case)]
    ),
    mistake!(
        "heads-without-transpose",
        &[
            |case| imitate(&Rules { split: Arrange::Untransposed, ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules { split: Arrange::Untransposed, merge: Arrange::Untransposed, ..RIGHT },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "key-value-ignored",
        &[
            |case| imitate(&Rules { sources: Sources::QueryAlone, ..RIGHT }, case),
            |case| imitate(&Rules { sources: Sources::ValueFromKey, ..RIGHT }, case),
            |case| imitate(&Rules { sources: Sources::ValueFromQuery, ..RIGHT }, case),
            |case| imitate(&Rules { sources: Sources::KeyFromQuery, ..RIGHT }, case),
            |case| imitate(&Rules { sources: Sources::KeyFromValue, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "key-value-swapped",
        &[|case| imitate(&Rules { sources: Sources::Swapped, ..RIGHT }, case)]
    ),
    mistake!(
        "key-value-projections-swapped",
        &[|case| {
            imitate(
                &Rules {
                    projections: [Some("q_proj"), Some("v_proj"), Some("k_proj"), Some("out_proj")],
                    ..RIGHT
                },
                case,
            )
        }]
    ),
    mistake!(
        "layer-norm-after-attention",
        &[|case| imitate(&Rules { ending: Ending::Normalized, ..RIGHT }, case)],
        &[|_, from, _| from == "output"]
    ),
    mistake!("mask-not-passed", &[|case| imitate(&Rules { passes_mask: false, ..RIGHT }, case)]),
    mistake!(
        "missing-output-projection",
        &[|case| {
            imitate(
                &Rules {
                    projections: [Some("q_proj"), Some("k_proj"), Some("v_proj"), None],
                    ..RIGHT
                },
                case,
            )
        }]
    ),
    mistake!(
        "one-projection-for-all",
        &[
            |case| shared(["q_proj", "q_proj", "q_proj"], case),
            |case| shared(["k_proj", "k_proj", "k_proj"], case),
            |case| shared(["v_proj", "v_proj", "v_proj"], case),
            |case| shared(["q_proj", "q_proj", "v_proj"], case),
            |case| shared(["k_proj", "k_proj", "v_proj"], case),
            |case| shared(["q_proj", "k_proj", "k_proj"], case),
            |case| shared(["q_proj", "k_proj", "q_proj"], case),
            |case| shared(["q_proj", "v_proj", "v_proj"], case),
            |case| shared(["v_proj", "k_proj", "v_proj"], case),
        ]
    ),
    mistake!(
        "projections-without-bias",
        &[
            |case| imitate(&Rules { biases: [false; 4], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [false, false, false, true], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [true, true, true, false], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [false, true, true, true], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [true, true, false, true], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [false, false, true, true], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [false, true, true, false], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [true, true, false, false], ..RIGHT }, case),
        ]
    ),
    mistake!(
        "query-key-projections-swapped",
        &[|case| {
            imitate(
                &Rules {
                    projections: [Some("k_proj"), Some("q_proj"), Some("v_proj"), Some("out_proj")],
                    ..RIGHT
                },
                case,
            )
        }]
    ),
    mistake!(
        "residual-added",
        &[|case| imitate(&Rules { ending: Ending::PlusQuery, ..RIGHT }, case)]
    ),
    mistake!(
        "scaled-twice",
        &[
            |case| imitate(&Rules { scales_queries: |k, _| 1.0 / k.sqrt(), ..RIGHT }, case),
            |case| imitate(&Rules { scales_queries: |k, _| 1.0 / k, ..RIGHT }, case),
            |case| imitate(&Rules { scales_queries: |_, d| 1.0 / d.sqrt(), ..RIGHT }, case),
        ]
    ),
    mistake!(
        "value-not-projected",
        &[|case| {
            imitate(
                &Rules {
                    projections: [Some("q_proj"), Some("k_proj"), None, Some("out_proj")],
                    ..RIGHT
                },
                case,
            )
        }]
    ),
    mistake!(
        "weight-not-transposed",
        &[
            |case| imitate(&Rules { untransposed_weights: [true; 4], ..RIGHT }, case),
            |case| imitate(
                &Rules { untransposed_weights: [true, true, true, false], ..RIGHT },
                case
            ),
            |case| imitate(
                &Rules { untransposed_weights: [false, false, false, true], ..RIGHT },
                case
            ),
            |case| imitate(
                &Rules { untransposed_weights: [true, false, false, false], ..RIGHT },
                case
            ),
            |case| imitate(
                &Rules { untransposed_weights: [false, true, false, false], ..RIGHT },
                case
            ),
            |case| imitate(
                &Rules { untransposed_weights: [false, false, true, false], ..RIGHT },
                case
            ),
        ]
    ),
    mistake!(
        "weights-averaged-over-heads",
        &[
            |case| imitate(&Rules { returned: Returned::Mean, ..RIGHT }, case),
            |case| imitate(&Rules { returned: Returned::MeanOnAnAxis, ..RIGHT }, case),
            |case| imitate(&Rules { returned: Returned::MeanForEach, ..RIGHT }, case),
            |case| imitate(&Rules { returned: Returned::Sum, ..RIGHT }, case),
            |case| imitate(&Rules { returned: Returned::SumOnAnAxis, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "detached-heads",
        &[|case| imitate(&RIGHT, case)],
        &[|_, from, to| from == "output" && !to.starts_with("out_proj")]
    ),
    mistake!(
        "uneven-heads-panic",
        &[|case| imitate(&Rules { uneven: Response::Panicked, ..RIGHT }, case)]
    ),
];

/// Queries, keys and values through the projections of these names.
fn shared([q, k, v]: [&'static str; 3], case: &Case) -> Response {
    let projections = [Some(q), Some(k), Some(v), Some("out_proj")];
    imitate(&Rules { projections, ..RIGHT }, case)
}
