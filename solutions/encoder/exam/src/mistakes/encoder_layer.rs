//! Mistakes in the encoder layer.

use softmark_exam::rules::{Catalog, RuleMistake};
use softmark_exam::{Response, rule_mistake};

use crate::imitate::algebra::{Over, When};
use crate::imitate::layer::{Base, Mask, Names, Order, Placement, RIGHT, Rules, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("first-residual-missing", [|it| it.bases[0] = Base::Nothing]),
    rule_mistake!("second-residual-missing", [|it| it.bases[1] = Base::Nothing]),
    rule_mistake!("both-residuals-missing", [|it| it.bases = [Base::Nothing, Base::Nothing]]),
    rule_mistake!("second-residual-from-input", [|it| it.bases[1] = Base::Input]),
    rule_mistake!(
        "residual-of-itself",
        [
            |it| it.bases = [Base::Itself, Base::Itself],
            |it| it.bases[0] = Base::Itself,
            |it| it.bases[1] = Base::Itself,
            |it| it.bases[1] = Base::Attended,
        ]
    ),
    rule_mistake!(
        "residual-after-norm",
        [
            |it| it.bases = [Base::Normed, Base::Normed],
            |it| it.bases[0] = Base::Normed,
            |it| it.bases[1] = Base::Normed,
        ]
    ),
    rule_mistake!("always-post-norm", [|it| it.placement = Placement::Post]),
    rule_mistake!("always-pre-norm", [|it| it.placement = Placement::Pre]),
    rule_mistake!("norm-placements-swapped", [|it| it.placement = Placement::Swapped]),
    rule_mistake!("norms-missing", [|it| it.placement = Placement::Nowhere]),
    rule_mistake!("norms-shared", [|it| it.names = Names::First, |it| it.names = Names::Second]),
    rule_mistake!("norms-swapped", [|it| it.names = Names::Swapped]),
    rule_mistake!(
        "norm-over-positions",
        [|it| it.norm.over = Over::Positions, |it| it.norm.over = Over::Example]
    ),
    rule_mistake!(
        "norm-epsilon",
        [
            |it| it.norm.epsilon = 1e-3,
            |it| it.norm.epsilon = 1e-6,
            |it| it.norm.epsilon = 1e-8,
            |it| it.norm.epsilon = 1e-12,
            alone(|it| (it.only_norm, it.norm.epsilon) = (Some(0), 1e-3)),
            alone(|it| (it.only_norm, it.norm.epsilon) = (Some(1), 1e-3)),
            alone(|it| (it.only_norm, it.norm.epsilon) = (Some(0), 1e-6)),
            alone(|it| (it.only_norm, it.norm.epsilon) = (Some(1), 1e-6)),
            alone(|it| (it.only_norm, it.norm.epsilon) = (Some(0), 1e-12)),
            alone(|it| (it.only_norm, it.norm.epsilon) = (Some(1), 1e-12)),
        ]
    ),
    rule_mistake!("epsilon-outside-root", [|it| it.norm.outside = true]),
    rule_mistake!("norm-unbiased", [|it| it.norm.unbiased = true]),
    rule_mistake!(
        "norm-without-affine",
        [
            |it| (it.norm.weight, it.norm.bias) = (false, false),
            |it| it.norm.bias = false,
            |it| it.norm.weight = false,
        ]
    ),
    rule_mistake!("norm-off-formula", [|it| it.norm.centered = false, |it| it.norm.rooted = false]),
    rule_mistake!("layer-hides-nothing", [|it| it.mask = Mask::Open]),
    rule_mistake!("layer-mask-inverted", [|it| it.mask = Mask::Inverted]),
    rule_mistake!("layer-attends-across-batch", [|it| it.across = true]),
    rule_mistake!(
        "sublayers-out-of-order",
        [
            |it| it.order = Order::Parallel,
            |it| it.order = Order::FeedForwardFirst,
            |it| it.order = Order::AttentionAlone,
        ]
    ),
    rule_mistake!("layer-ends-in-norm", [|it| it.ends_in_norm = true]),
    rule_mistake!(
        "sublayer-dropout-missing",
        [|it| it.drops = [false, false], |it| it.drops[1] = false, |it| it.drops[0] = false]
    ),
    rule_mistake!("sublayer-dropout-always", [|it| it.dropping.when = When::Always]),
    rule_mistake!("sublayer-dropout-unscaled", [|it| it.dropping.scales = false]),
    rule_mistake!("sublayer-dropout-inverted", [|it| it.dropping.inverted = true]),
    rule_mistake!(
        "sublayers-not-told",
        [|it| it.tells = [false; 2], |it| it.tells[0] = false, |it| it.tells[1] = false]
    ),
    rule_mistake!("layer-in-double-precision", [alone(|it| it.in_f64 = true)]),
    rule_mistake!("cut-by-layer-norm", [], &[|_, _, _| true]),
    rule_mistake!("norm-parameters-detached", [], &[|_, _, to| to.starts_with("norm")]),
    rule_mistake!("parts-unwrapped", [|it| it.uneven = Response::Panicked]),
    rule_mistake!("layer-refuses-views", [|it| it.refuses_strided = true]),
];
