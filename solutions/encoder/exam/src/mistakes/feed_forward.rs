//! Mistakes in the feed-forward network.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::algebra::When;
use crate::imitate::feed_forward::{Activation, DropsAt, RIGHT, Rules, Stands, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("activation-missing", [|it| it.activation = Activation::Missing]),
    rule_mistake!("activation-swapped", [|it| it.activation = Activation::Swapped]),
    rule_mistake!(
        "one-activation-for-all",
        [|it| it.activation = Activation::Relu, |it| it.activation = Activation::Gelu]
    ),
    rule_mistake!(
        "gelu-approximated",
        [|it| it.activation = Activation::Tanh, |it| it.activation = Activation::Sigmoid]
    ),
    rule_mistake!(
        "activation-after-output",
        [|it| it.stands = Stands::After, |it| it.stands = Stands::Both]
    ),
    rule_mistake!("network-adds-its-input", [|it| it.residual = true]),
    rule_mistake!(
        "maps-without-bias",
        [|it| it.biases = [false, false], |it| it.biases[0] = false, |it| it.biases[1] = false]
    ),
    rule_mistake!("hidden-dropout-missing", [|it| it.dropping.when = When::Never]),
    rule_mistake!("hidden-dropout-always", [|it| it.dropping.when = When::Always]),
    rule_mistake!("hidden-dropout-unscaled", [|it| it.dropping.scales = false]),
    rule_mistake!("hidden-dropout-inverted", [|it| it.dropping.inverted = true]),
    rule_mistake!(
        "dropout-on-output",
        [|it| it.drops_at = DropsAt::Output, |it| it.drops_at = DropsAt::Both]
    ),
    rule_mistake!("hidden-normed-over-batch", [|it| it.norms_over_batch = true]),
    rule_mistake!("network-in-double-precision", [alone(|it| it.in_f64 = true)]),
    rule_mistake!("hidden-detached", [], &[|_, _, to| to == "x" || to.starts_with("linear1.")]),
    rule_mistake!("network-refuses-views", [|it| it.refuses_strided = true]),
];
