//! Mistakes in the checkpoint.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::checkpoint::{Keeps, Labels, RIGHT, Refusal, Rules, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("encoder-in-the-checkpoint", [|it| it.keeps = Keeps::Everything]),
    rule_mistake!("kept-by-name", [|it| it.keeps = Keeps::NotTheEncoder]),
    rule_mistake!("prefix-not-kept", [|it| it.keeps = Keeps::Head]),
    rule_mistake!("head-not-kept", [|it| it.keeps = Keeps::Prefix]),
    rule_mistake!("biases-not-kept", [|it| it.keeps = Keeps::Weights]),
    rule_mistake!(
        "labels-sorted",
        [|it| it.labels = Labels::SortedInSaving, |it| it.labels = Labels::SortedInLoading]
    ),
    rule_mistake!("labels-lost", [|it| it.labels = Labels::Lost]),
    rule_mistake!("settings-forgotten", [|it| it.forgets = true]),
    rule_mistake!("missing-parameters-taken", [|it| it.takes_missing = true]),
    rule_mistake!("strangers-taken", [|it| it.takes_strangers = true]),
    rule_mistake!("frozen-tensors-taken", [|it| it.takes_frozen = true]),
    rule_mistake!("surplus-passed-over", [|it| it.passes_over = true]),
    rule_mistake!("other-encoder-taken", [|it| it.takes_other_base = true]),
    rule_mistake!("misfits-taken", [|it| it.takes_misfits = true]),
    rule_mistake!(
        "set-before-checked",
        [|it| it.refusal = Refusal::OnTheWay, |it| it.refusal = Refusal::Last]
    ),
    rule_mistake!("loaded-into-copies", [|it| it.sets_nothing = true]),
];
