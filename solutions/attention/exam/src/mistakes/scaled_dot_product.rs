//! Mistakes in scaled dot-product attention.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::attention::{
    Causal, EmptyRow, Exponential, MaskOf, Masking, Misfit, Mixes, RIGHT, Returned, Rules, Softmax,
    Strided, imitate,
};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("missing-scale", [|it| it.scale = |_| 1.0]),
    rule_mistake!(
        "always-causal",
        [
            |it| it.causal = Causal::Unmasked,
            |it| it.causal = Causal::Always,
            alone(|it| it.causal = Causal::Unguarded),
        ]
    ),
    rule_mistake!("empty-row-nan", [|it| it.empty_row = EmptyRow::NotANumber]),
    rule_mistake!("empty-row-uniform", [|it| it.empty_row = EmptyRow::Uniform]),
    rule_mistake!(
        "inverted-mask",
        [
            |it| it.masking = Masking::Inverted,
            alone(|it| (it.masking, it.empty_row) = (Masking::Inverted, EmptyRow::NotANumber)),
            alone(|it| (it.masking, it.empty_row) = (Masking::Inverted, EmptyRow::Uniform)),
        ]
    ),
    rule_mistake!("key-reshaped", [|it| it.reshapes_keys = true]),
    rule_mistake!("keys-mixed", [|it| it.mixes = Mixes::Keys]),
    rule_mistake!(
        "leaky-mask",
        [
            |it| it.masking = Masking::Adds(0.0, -10.0),
            alone(|it| uniform(it, Masking::Adds(0.0, -10.0))),
            |it| it.masking = Masking::Adds(0.0, -100.0),
            alone(|it| uniform(it, Masking::Adds(0.0, -100.0))),
            alone(|it| it.masking = Masking::Adds(0.0, -1e3)),
            alone(|it| uniform(it, Masking::Adds(0.0, -1e3))),
            alone(|it| it.masking = Masking::SetsTo(-10.0)),
            alone(|it| uniform(it, Masking::SetsTo(-10.0))),
        ]
    ),
    rule_mistake!("mask-after-softmax", [|it| it.masking = Masking::AfterSoftmax]),
    rule_mistake!("mask-ignored", [|it| it.masking = Masking::Ignored]),
    rule_mistake!("mask-of-first-example", [|it| it.mask_of = MaskOf::FirstExample]),
    rule_mistake!("mask-of-first-head", [|it| it.mask_of = MaskOf::FirstHead]),
    rule_mistake!("missing-softmax", [|it| it.softmax = Softmax::Missing]),
    rule_mistake!("output-without-mask", [|it| it.masking = Masking::WeightsOnly]),
    rule_mistake!("reads-memory-order", [|it| it.mask_of = MaskOf::Memory]),
    rule_mistake!("scale-by-width", [|it| it.scale = |k| 1.0 / k]),
    rule_mistake!("scale-inverted", [|it| it.scale = f64::sqrt]),
    rule_mistake!(
        "shallow-mask",
        [
            |it| it.masking = Masking::Adds(0.0, -1e4),
            alone(|it| uniform(it, Masking::Adds(0.0, -1e4))),
            |it| it.masking = Masking::Adds(0.0, -1e5),
            alone(|it| uniform(it, Masking::Adds(0.0, -1e5))),
            alone(|it| zeroed(it, Masking::Adds(0.0, -1e4))),
            alone(|it| zeroed(it, Masking::Adds(0.0, -1e5))),
            alone(|it| zeroed(it, Masking::Adds(0.0, -1e9))),
            |it| it.masking = Masking::Adds(0.0, -1e9),
            alone(|it| uniform(it, Masking::Adds(0.0, -1e9))),
        ]
    ),
    rule_mistake!(
        "filler-not-lowest",
        [
            |it| it.masking = Masking::SetsTo(-100.0),
            alone(|it| uniform(it, Masking::SetsTo(-100.0))),
            alone(|it| zeroed(it, Masking::SetsTo(-100.0))),
            alone(|it| it.masking = Masking::SetsTo(-1e3)),
            alone(|it| uniform(it, Masking::SetsTo(-1e3))),
            alone(|it| zeroed(it, Masking::SetsTo(-1e3))),
            |it| it.masking = Masking::SetsTo(-1e4),
            alone(|it| uniform(it, Masking::SetsTo(-1e4))),
            alone(|it| zeroed(it, Masking::SetsTo(-1e4))),
            alone(|it| it.masking = Masking::SetsTo(-1e5)),
            alone(|it| uniform(it, Masking::SetsTo(-1e5))),
            alone(|it| zeroed(it, Masking::SetsTo(-1e5))),
            |it| it.masking = Masking::SetsTo(-1e9),
            alone(|it| uniform(it, Masking::SetsTo(-1e9))),
            alone(|it| zeroed(it, Masking::SetsTo(-1e9))),
            alone(|it| it.masking = Masking::SetsTo(-1e10)),
            alone(|it| uniform(it, Masking::SetsTo(-1e10))),
            alone(|it| zeroed(it, Masking::SetsTo(-1e10))),
        ]
    ),
    rule_mistake!(
        "softmax-over-heads",
        [
            |it| it.softmax = Softmax::OverHeads,
            alone(|it| (it.softmax, it.empty_row) = (Softmax::OverHeads, EmptyRow::Uniform)),
            alone(|it| (it.softmax, it.empty_row) = (Softmax::OverHeads, EmptyRow::NotANumber)),
        ]
    ),
    rule_mistake!(
        "softmax-over-queries",
        [
            |it| it.softmax = Softmax::OverQueries,
            alone(|it| (it.softmax, it.empty_row) = (Softmax::OverQueries, EmptyRow::Uniform)),
            alone(|it| (it.softmax, it.empty_row) = (Softmax::OverQueries, EmptyRow::NotANumber)),
        ]
    ),
    rule_mistake!(
        "softmax-overflow",
        [
            alone(|it| it.exponential = Exponential::Guarded),
            alone(|it| (it.exponential, it.empty_row) = (Exponential::Plain, EmptyRow::NotANumber)),
            |it| it.exponential = Exponential::Plain,
        ]
    ),
    rule_mistake!(
        "weights-before-softmax",
        [|it| it.returned = Returned::MaskedScores, |it| it.returned = Returned::Scores]
    ),
    rule_mistake!("weights-transposed", [|it| it.returned = Returned::Transposed]),
    rule_mistake!("weights-without-mask", [|it| it.returned = Returned::Unmasked]),
    rule_mistake!(
        "zero-one-mask-added",
        [
            |it| it.masking = Masking::Adds(1.0, 0.0),
            alone(|it| uniform(it, Masking::Adds(1.0, 0.0))),
        ]
    ),
    rule_mistake!("cut-at-weights", [], &[|_, _, to| to != "value"]),
    rule_mistake!("strided-attention-refused", [|it| it.strided = Strided::Refused]),
    rule_mistake!("misfit-sliced-away", [|it| it.misfit = Misfit::LeftOut]),
];

/// Changes the masking, and gives a query without keys equal weights.
fn uniform(it: &mut Rules, masking: Masking) {
    (it.masking, it.empty_row) = (masking, EmptyRow::Uniform);
}

/// Changes the masking, and sets the weights of hidden keys to zero at the end.
fn zeroed(it: &mut Rules, masking: Masking) {
    (it.masking, it.zeroes_hidden) = (masking, true);
}
