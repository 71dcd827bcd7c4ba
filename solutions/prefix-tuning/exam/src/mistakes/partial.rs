//! Mistakes in partial unfreezing.

use encoder_exam::imitate::algebra::{DROPS, Dropping, When};
use encoder_exam::imitate::classifier::Ends;
use softmark_checks::Case;
use softmark_exam::{Mistake, Response, mistake};

use crate::imitate::partial::{RIGHT, Rules, Step, Token, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!("partial-mask-ignored", &[|case| imitate(&Rules { open: true, ..RIGHT }, case)]),
    mistake!(
        "last-for-the-first",
        &[
            |case| imitate(&Rules { token: Token::Last, ..RIGHT }, case),
            |case| imitate(&Rules { token: Token::LastReal, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "mean-for-the-first",
        &[
            |case| imitate(&Rules { token: Token::Mean, ..RIGHT }, case),
            |case| imitate(&Rules { token: Token::MeanOfAll, ..RIGHT }, case),
        ]
    ),
    mistake!("one-map-head", &[|case| imitate(&Rules { one_map: true, ..RIGHT }, case)]),
    mistake!(
        "head-normed-over-the-batch",
        &[|case| {
            let head = &[Step::BatchNorm, Step::Relu, Step::Dropout];
            imitate(&Rules { head, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "head-norm-missing",
        &[|case| imitate(&Rules { head: &[Step::Relu, Step::Dropout], ..RIGHT }, case)]
    ),
    mistake!(
        "head-relu-missing",
        &[|case| imitate(&Rules { head: &[Step::Norm, Step::Dropout], ..RIGHT }, case)]
    ),
    mistake!(
        "relu-before-norm",
        &[|case| {
            imitate(&Rules { head: &[Step::Relu, Step::Norm, Step::Dropout], ..RIGHT }, case)
        }]
    ),
    mistake!(
        "head-activation-swapped",
        &[
            |case| imitate(
                &Rules { head: &[Step::Norm, Step::Tanh, Step::Dropout], ..RIGHT },
                case
            ),
            |case| imitate(
                &Rules { head: &[Step::Norm, Step::Gelu, Step::Dropout], ..RIGHT },
                case
            ),
        ]
    ),
    mistake!(
        "dropout-before-norm",
        &[|case| {
            imitate(&Rules { head: &[Step::Dropout, Step::Norm, Step::Relu], ..RIGHT }, case)
        }]
    ),
    mistake!(
        "partial-softmax",
        &[
            |case| imitate(&Rules { ends: Ends::Softmax, ..RIGHT }, case),
            |case| imitate(&Rules { ends: Ends::LogSoftmax, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "head-dropout-always",
        &[|case| {
            imitate(&Rules { dropping: Dropping { when: When::Always, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "head-dropout-never",
        &[|case| {
            imitate(&Rules { dropping: Dropping { when: When::Never, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "head-dropout-inverted",
        &[
            |case| imitate(
                &Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT },
                case
            ),
            // With a probability of 0, everything is to be dropped, which is an error.
            |case| {
                if case.get_size("train") == 1 && case.get_size("dropout_permille") == 0 {
                    return Response::Refused;
                }
                imitate(&Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT }, case)
            },
        ]
    ),
    mistake!(
        "tuned-layers-never-told",
        &[|case| imitate(&Rules { tells: Some(false), ..RIGHT }, case)]
    ),
    mistake!(
        "tuned-layers-always-told",
        &[|case| imitate(&Rules { tells: Some(true), ..RIGHT }, case)]
    ),
    mistake!(
        "first-layers-unfrozen",
        &[|case| imitate(&RIGHT, case)],
        &[|case, _, to| {
            let of_first = |n: usize| to.starts_with(&format!("base.layers.{n}."));
            to.starts_with("base.") && !(0..case.get_size("unfrozen")).any(of_first)
        }]
    ),
    mistake!(
        "layers-miscounted",
        &[|case| imitate(&RIGHT, case)],
        &[
            |case, _, to| is_below(case, to, case.get_size("unfrozen") + 1),
            |case, _, to| is_below(case, to, case.get_size("unfrozen").saturating_sub(1)),
        ]
    ),
    mistake!(
        "head-alone-learns",
        &[|case| imitate(&RIGHT, case)],
        &[|_, _, to| to.starts_with("base.")]
    ),
    mistake!(
        "all-layers-unfrozen",
        &[|case| imitate(&RIGHT, case)],
        &[|_, _, to| to.starts_with("base.") && !to.starts_with("base.layers.")]
    ),
    mistake!("everything-unfrozen", &[|case| imitate(&RIGHT, case)], &[|_, _, _| false]),
];

/// True if `to` belongs to the encoder, but not to its last `n` layers.
fn is_below(case: &Case, to: &str, n: usize) -> bool {
    let layers = case.get_size("layers");
    let is_of = |layer: usize| to.starts_with(&format!("base.layers.{layer}."));
    to.starts_with("base.") && !(layers.saturating_sub(n)..layers).any(is_of)
}
