//! Mistakes in the classifier.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::classifier::{Ends, Pools, RIGHT, Rules, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!(
        "pooled-to-sum",
        [|it| it.pools = Pools::Sum, |it| it.pools = Pools::SumByLength]
    ),
    rule_mistake!(
        "padding-pooled",
        [|it| it.pools = Pools::MeanOfAll, |it| it.pools = Pools::MeanOfPadding]
    ),
    rule_mistake!(
        "single-token-pooled",
        [|it| it.pools = Pools::First, |it| it.pools = Pools::Last]
    ),
    rule_mistake!("largest-pooled", [|it| it.pools = Pools::Max]),
    rule_mistake!("texts-pooled-together", [|it| it.pools = Pools::OverExamples]),
    rule_mistake!(
        "softmax-after-head",
        [|it| it.ends = Ends::Softmax, |it| it.ends = Ends::LogSoftmax]
    ),
    rule_mistake!(
        "activation-at-head",
        [|it| it.ends = Ends::Relu, |it| it.ends = Ends::Sigmoid, |it| it.squashes = true]
    ),
    rule_mistake!("head-without-bias", [|it| it.biased = false]),
    rule_mistake!("encoder-without-mask", [|it| it.passes_mask = false]),
    rule_mistake!("encoder-unwrapped", [|it| it.unwraps = true]),
    rule_mistake!(
        "encoder-told-otherwise",
        [|it| it.tells = Some(false), |it| it.tells = Some(true)]
    ),
    rule_mistake!("empty-text-not-a-number", [|it| it.guards = false]),
    rule_mistake!("encoder-detached", [], &[|_, _, to| !to.starts_with("classifier.")]),
];
