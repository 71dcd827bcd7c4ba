//! Mistakes in prefix tuning.

use encoder_exam::imitate::classifier::Ends;
use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::encoder::Tells;
use crate::imitate::prefix::{Gets, Passes, Pools, RIGHT, Rules, Seen, Stands, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("prefix-hidden", [|it| it.seen = Seen::PrefixHidden]),
    rule_mistake!("tuned-mask-inverted", [|it| it.seen = Seen::Inverted]),
    rule_mistake!("mask-extended-at-the-end", [|it| it.seen = Seen::OtherEnd]),
    rule_mistake!(
        "prefix-appended",
        [|it| (it.stands, it.seen) = (Stands::Behind, Seen::OtherEnd)]
    ),
    rule_mistake!("mask-of-ones", [|it| it.seen = Seen::Open]),
    rule_mistake!(
        "one-vector-a-text",
        [|it| it.gets = Gets::FirstVector, |it| it.gets = Gets::VectorByText]
    ),
    rule_mistake!(
        "prefix-normed",
        [|it| it.passes = Passes::Norm, |it| it.passes = Passes::PositionsAndNorm]
    ),
    rule_mistake!("prefix-given-positions", [|it| it.passes = Passes::Positions]),
    rule_mistake!("tokens-shifted", [|it| it.shifts = true]),
    rule_mistake!("wrong-places-pooled", [|it| it.pools = Pools::WrongPlaces]),
    rule_mistake!(
        "prefix-pooled",
        [
            |it| it.pools = Pools::PrefixToo,
            |it| it.pools = Pools::PrefixAlone,
            |it| it.pools = Pools::Everything,
        ]
    ),
    rule_mistake!(
        "first-place-for-the-mean",
        [|it| it.pools = Pools::FirstPlace, |it| it.pools = Pools::FirstToken]
    ),
    rule_mistake!("sum-for-the-mean", [|it| it.pools = Pools::Sum]),
    rule_mistake!(
        "padding-in-the-mean",
        [|it| it.pools = Pools::AllTokens, |it| it.pools = Pools::SumByLength]
    ),
    rule_mistake!("empty-text-divided", [|it| it.unguarded = true]),
    rule_mistake!("prefix-always-asked-for", [|it| it.always_asks = true]),
    rule_mistake!("tuned-softmax", [|it| it.ends = Ends::Softmax, |it| it.ends = Ends::LogSoftmax]),
    rule_mistake!("tuned-head-without-bias", [|it| it.unbiased = true]),
    rule_mistake!("encoder-told-the-opposite", [|it| it.tells = Tells::Opposite]),
    rule_mistake!("encoder-always-told-to-train", [|it| it.tells = Tells::Training]),
    rule_mistake!("encoder-never-told", [|it| it.tells = Tells::Evaluation]),
    rule_mistake!(
        "prefix-detached",
        [],
        &[|_, _, to| !to.starts_with("classifier."), |_, _, _| true]
    ),
    rule_mistake!("head-frozen-too", [], &[|_, _, to| to != "prefix"]),
    rule_mistake!("encoder-not-frozen", [], &[|_, _, _| false]),
];
