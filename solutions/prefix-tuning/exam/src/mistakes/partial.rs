//! Mistakes in partial unfreezing.

use encoder_exam::imitate::algebra::{DROPS, Dropping, When};
use encoder_exam::imitate::classifier::Ends;
use softmark_checks::Case;
use softmark_exam::rules::{Catalog, RuleMistake};
use softmark_exam::{Response, mistake, rule_mistake};

use crate::imitate::encoder::Tells;
use crate::imitate::partial::{RIGHT, Rules, Step, Token, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("partial-mask-ignored", [|it| it.open = true]),
    rule_mistake!(
        "last-for-the-first",
        [|it| it.token = Token::Last, |it| it.token = Token::LastReal]
    ),
    rule_mistake!(
        "mean-for-the-first",
        [|it| it.token = Token::Mean, |it| it.token = Token::MeanOfAll]
    ),
    rule_mistake!("one-map-head", [|it| it.one_map = true]),
    rule_mistake!(
        "head-normed-over-the-batch",
        [|it| it.head = &[Step::BatchNorm, Step::Relu, Step::Dropout]]
    ),
    rule_mistake!("head-norm-missing", [|it| it.head = &[Step::Relu, Step::Dropout]]),
    rule_mistake!("head-relu-missing", [|it| it.head = &[Step::Norm, Step::Dropout]]),
    rule_mistake!("relu-before-norm", [|it| it.head = &[Step::Relu, Step::Norm, Step::Dropout]]),
    rule_mistake!(
        "head-activation-swapped",
        [
            |it| it.head = &[Step::Norm, Step::Tanh, Step::Dropout],
            |it| it.head = &[Step::Norm, Step::Gelu, Step::Dropout],
        ]
    ),
    rule_mistake!("dropout-before-norm", [|it| it.head = &[Step::Dropout, Step::Norm, Step::Relu]]),
    rule_mistake!(
        "partial-softmax",
        [|it| it.ends = Ends::Softmax, |it| it.ends = Ends::LogSoftmax]
    ),
    rule_mistake!("head-dropout-told-the-opposite", [|it| it.tells_head = Tells::Opposite]),
    rule_mistake!("head-dropout-always", [|it| it.dropping.when = When::Always]),
    rule_mistake!("head-dropout-never", [|it| it.dropping.when = When::Never]),
    RuleMistake {
        mistake: mistake!(
            "head-dropout-inverted",
            &[
                |case| imitate(&inverted(), case),
                // With a probability of 0, everything is to be dropped, which is an error.
                |case| match (case.get_size("train"), case.get_size("dropout_permille")) {
                    (1, 0) => Response::Refused,
                    _ => imitate(&inverted(), case),
                },
            ]
        ),
        combined: &[|it| it.dropping.inverted = true],
    },
    rule_mistake!("tuned-layers-told-the-opposite", [|it| it.tells = Tells::Opposite]),
    rule_mistake!("tuned-layers-never-told", [|it| it.tells = Tells::Evaluation]),
    rule_mistake!("tuned-layers-always-told", [|it| it.tells = Tells::Training]),
    rule_mistake!(
        "first-layers-unfrozen",
        [],
        &[|case, _, to| {
            let of_first = |n: usize| to.starts_with(&format!("base.layers.{n}."));
            to.starts_with("base.") && !(0..case.get_size("unfrozen")).any(of_first)
        }]
    ),
    rule_mistake!(
        "layers-miscounted",
        [],
        &[
            |case, _, to| is_below(case, to, case.get_size("unfrozen") + 1),
            |case, _, to| is_below(case, to, case.get_size("unfrozen").saturating_sub(1)),
        ]
    ),
    rule_mistake!("head-alone-learns", [], &[|_, _, to| to.starts_with("base.")]),
    rule_mistake!(
        "all-layers-unfrozen",
        [],
        &[|_, _, to| to.starts_with("base.") && !to.starts_with("base.layers.")]
    ),
    rule_mistake!("everything-unfrozen", [], &[|_, _, _| false]),
];

/// Rules by which what should be kept is dropped.
fn inverted() -> Rules {
    Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT }
}

/// True if `to` belongs to the encoder, but not to its last `n` layers.
fn is_below(case: &Case, to: &str, n: usize) -> bool {
    let layers = case.get_size("layers");
    let is_of = |layer: usize| to.starts_with(&format!("base.layers.{layer}."));
    to.starts_with("base.") && !(layers.saturating_sub(n)..layers).any(is_of)
}
