//! Mistakes in the training loop.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::steps::{
    Best, Clips, Decays, Ends, Frozen, Patience, RIGHT, Rate, Rules, imitate,
};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("warm-up-missing", [|it| it.rate = Rate::Down]),
    rule_mistake!("decay-missing", [|it| it.rate = Rate::Up]),
    rule_mistake!("learning-rate-constant", [|it| it.rate = Rate::Constant]),
    rule_mistake!("warm-up-from-zero", [|it| it.rate = Rate::FromZero]),
    rule_mistake!("warm-up-rounded-down", [|it| it.rate = Rate::RoundedDown]),
    rule_mistake!("warm-up-one-step-at-least", [|it| it.rate = Rate::OneAtLeast]),
    rule_mistake!("schedule-of-each-epoch", [|it| it.rate = Rate::EachEpoch]),
    rule_mistake!("decay-by-all-steps", [|it| it.rate = Rate::DownByAll]),
    rule_mistake!("cosine-for-linear", [|it| it.rate = Rate::Cosine]),
    rule_mistake!("clipping-missing", [|it| it.clips = Clips::Nothing]),
    rule_mistake!("clipped-one-by-one", [|it| it.clips = Clips::EachAlone]),
    rule_mistake!("clipped-by-value", [|it| it.clips = Clips::Values]),
    rule_mistake!("frozen-in-the-norm", [|it| it.clips = Clips::FrozenToo]),
    rule_mistake!("always-scaled-to-the-norm", [|it| it.clips = Clips::Always]),
    rule_mistake!("frozen-parameters-learn", [|it| it.frozen = Frozen::Learn]),
    rule_mistake!("frozen-parameters-decay", [|it| it.frozen = Frozen::Decay]),
    rule_mistake!("decay-in-the-gradient", [|it| it.decays = Decays::Coupled]),
    rule_mistake!("weight-decay-missing", [|it| it.decays = Decays::Never]),
    rule_mistake!("optimizer-renewed", [|it| it.renews = true]),
    rule_mistake!("last-epoch-kept", [|it| it.ends = Ends::Last]),
    rule_mistake!("epoch-before-the-best-kept", [|it| it.ends = Ends::BeforeBest]),
    rule_mistake!("last-kept-where-none-is-best", [|it| it.ends = Ends::BestOrLast]),
    rule_mistake!("later-epoch-of-equals", [|it| it.best = Best::LastLowest]),
    rule_mistake!("highest-loss-wins", [|it| it.best = Best::Highest]),
    rule_mistake!("nan-loss-stays-best", [|it| it.best = Best::StuckAtNaN]),
    rule_mistake!(
        "nan-loss-wins",
        [|it| it.best = Best::NaNWins, |it| it.best = Best::NaNWinsFromInfinity]
    ),
    rule_mistake!("infinite-loss-never-best", [|it| it.best = Best::BelowInfinity]),
    rule_mistake!("patience-one-more", [|it| it.patience = Patience::OneMore]),
    rule_mistake!("patience-one-less", [|it| it.patience = Patience::OneLess]),
    rule_mistake!("patience-altogether", [|it| it.patience = Patience::Altogether]),
    rule_mistake!("patience-of-worsening", [|it| it.patience = Patience::Worsening]),
    rule_mistake!("patience-from-the-last-epoch", [|it| it.patience = Patience::NotBelowTheLast]),
    rule_mistake!("patience-ignored", [|it| it.patience = Patience::Never]),
];
