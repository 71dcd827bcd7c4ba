//! Mistakes in multi-head attention.

use softmark_exam::rules::{Catalog, RuleMistake};
use softmark_exam::{Response, rule_mistake};

use crate::imitate::multi_head::{
    Along, Arrange, Ending, RIGHT, Returned, Rules, Sources, imitate,
};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("attention-across-batch", [|it| it.along = Along::Examples]),
    rule_mistake!(
        "heads-interleaved",
        [
            |it| (it.split, it.merge) = (Arrange::Interleaved, Arrange::Interleaved),
            alone(|it| it.split = Arrange::Interleaved),
        ]
    ),
    rule_mistake!("heads-merged-interleaved", [|it| it.merge = Arrange::Interleaved]),
    rule_mistake!("heads-merged-without-transpose", [|it| it.merge = Arrange::Untransposed]),
    rule_mistake!(
        "heads-without-transpose",
        [
            |it| it.split = Arrange::Untransposed,
            alone(|it| (it.split, it.merge) = (Arrange::Untransposed, Arrange::Untransposed)),
        ]
    ),
    rule_mistake!(
        "key-value-ignored",
        [
            |it| it.sources = Sources::QueryAlone,
            |it| it.sources = Sources::ValueFromKey,
            |it| it.sources = Sources::ValueFromQuery,
            |it| it.sources = Sources::KeyFromQuery,
            |it| it.sources = Sources::KeyFromValue,
        ]
    ),
    rule_mistake!("key-value-swapped", [|it| it.sources = Sources::Swapped]),
    rule_mistake!("key-value-projections-swapped", [|it| it.projections.swap(1, 2)]),
    rule_mistake!("layer-norm-after-attention", [|it| it.ending = Ending::Normalized]),
    rule_mistake!("mask-not-passed", [|it| it.passes_mask = false]),
    rule_mistake!("missing-output-projection", [|it| it.projections[3] = None]),
    rule_mistake!(
        "one-projection-for-all",
        [
            |it| share(it, ["q_proj", "q_proj", "q_proj"]),
            alone(|it| share(it, ["k_proj", "k_proj", "k_proj"])),
            alone(|it| share(it, ["v_proj", "v_proj", "v_proj"])),
            alone(|it| share(it, ["q_proj", "q_proj", "v_proj"])),
            alone(|it| share(it, ["k_proj", "k_proj", "v_proj"])),
            alone(|it| share(it, ["q_proj", "k_proj", "k_proj"])),
            alone(|it| share(it, ["q_proj", "k_proj", "q_proj"])),
            alone(|it| share(it, ["q_proj", "v_proj", "v_proj"])),
            alone(|it| share(it, ["v_proj", "k_proj", "v_proj"])),
        ]
    ),
    rule_mistake!(
        "projections-without-bias",
        [
            |it| it.biases = [false; 4],
            alone(|it| it.biases = [false, false, false, true]),
            |it| it.biases[3] = false,
            alone(|it| it.biases = [false, true, true, true]),
            alone(|it| it.biases = [true, true, false, true]),
            alone(|it| it.biases = [false, false, true, true]),
            alone(|it| it.biases = [false, true, true, false]),
            alone(|it| it.biases = [true, true, false, false]),
        ]
    ),
    rule_mistake!("query-key-projections-swapped", [|it| it.projections.swap(0, 1)]),
    rule_mistake!("residual-added", [|it| it.ending = Ending::PlusQuery]),
    rule_mistake!(
        "scaled-twice",
        [
            |it| it.scales_queries = |k, _| 1.0 / k.sqrt(),
            alone(|it| it.scales_queries = |k, _| 1.0 / k),
            alone(|it| it.scales_queries = |_, d| 1.0 / d.sqrt()),
        ]
    ),
    rule_mistake!("value-not-projected", [|it| it.projections[2] = None]),
    rule_mistake!(
        "weight-not-transposed",
        [
            |it| it.untransposed_weights = [true; 4],
            alone(|it| it.untransposed_weights = [true, true, true, false]),
            alone(|it| it.untransposed_weights = [false, false, false, true]),
            alone(|it| it.untransposed_weights = [true, false, false, false]),
            alone(|it| it.untransposed_weights = [false, true, false, false]),
            alone(|it| it.untransposed_weights = [false, false, true, false]),
        ]
    ),
    rule_mistake!(
        "weights-averaged-over-heads",
        [
            |it| it.returned = Returned::Mean,
            alone(|it| it.returned = Returned::MeanOnAnAxis),
            alone(|it| it.returned = Returned::MeanForEach),
            alone(|it| it.returned = Returned::Sum),
            alone(|it| it.returned = Returned::SumOnAnAxis),
        ]
    ),
    rule_mistake!(
        "detached-heads",
        [],
        &[|_, from, to| from == "output" && !to.starts_with("out_proj")]
    ),
    rule_mistake!("uneven-heads-panic", [|it| it.uneven = Response::Panicked]),
];

/// Gives queries, keys and values the projections of these names.
fn share(it: &mut Rules, [q, k, v]: [&'static str; 3]) {
    it.projections = [Some(q), Some(k), Some(v), Some("out_proj")];
}
