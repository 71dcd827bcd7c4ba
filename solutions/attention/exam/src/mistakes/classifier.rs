//! Mistakes in the classifier.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::classifier::{
    Ends, Norm, Pools, Positions, RIGHT, Rules, Sees, Unknown, imitate,
};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!(
        "texts-without-positions",
        [alone(|it| (it.positions, it.refuses_too_long) = (Positions::Missing, false)), |it| it
            .positions =
            Positions::Missing]
    ),
    rule_mistake!("positions-after-attention", [|it| it.positions = Positions::AfterAttention]),
    rule_mistake!("padding-attended-to", [|it| it.sees = Sees::All]),
    rule_mistake!("padding-alone-attended-to", [|it| it.sees = Sees::Padding]),
    rule_mistake!("later-words-hidden", [|it| it.sees = Sees::Earlier]),
    rule_mistake!("texts-attend-to-texts", [|it| it.across_texts = true]),
    rule_mistake!("input-added-to-attention", [|it| it.residual = true]),
    rule_mistake!("norm-before-attention", [|it| it.norm = Norm::Before]),
    rule_mistake!(
        "attention-norm-epsilon",
        [
            |it| it.epsilon = 1e-3,
            |it| it.epsilon = 1e-6,
            alone(|it| it.epsilon = 1e-8),
            alone(|it| it.epsilon = 1e-12),
            |it| it.epsilon = 0.0,
        ]
    ),
    rule_mistake!("attention-not-normed", [|it| it.norm = Norm::Missing]),
    rule_mistake!("attention-always-normed", [|it| it.norm = Norm::Always]),
    rule_mistake!(
        "pooling-whatever-asked",
        [|it| it.pools = Pools::First, |it| it.pools = Pools::Mean, |it| it.pools = Pools::Max]
    ),
    rule_mistake!("padding-in-the-pooling", [|it| it.pools = Pools::Everything]),
    rule_mistake!("pooled-across-texts", [|it| it.pools = Pools::OverTexts]),
    rule_mistake!(
        "shares-instead-of-logits",
        [|it| it.ends = Ends::Softmax, |it| it.ends = Ends::LogSoftmax]
    ),
    rule_mistake!("tokens-times-root-of-width", [|it| it.scale = f64::sqrt]),
    rule_mistake!("empty-text-undefined", [|it| it.pools = Pools::Unguarded]),
    rule_mistake!(
        "unknown-words-let-pass",
        [|it| it.unknown = Unknown::LastRow, alone(|it| it.unknown = Unknown::Wrapped)]
    ),
    rule_mistake!("unknown-words-panic", [|it| it.unknown = Unknown::Panicked]),
    rule_mistake!(
        "classifier-detached",
        [],
        &[
            |_, _, to| to == "token_embedding.weight",
            |_, _, to| !to.starts_with("classifier."),
            |_, _, to| !to.starts_with("classifier.") && !to.starts_with("norm."),
        ]
    ),
];
