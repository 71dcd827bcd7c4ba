//! Mistakes in the encoder.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::algebra::When;
use crate::imitate::encoder::{Beyond, Ends, Layers, Positions, RIGHT, Rules, imitate};
use crate::imitate::layer::Mask;

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("tokens-scaled", [|it| it.scale = f64::sqrt]),
    rule_mistake!("positions-missing", [|it| it.positions = Positions::Missing]),
    rule_mistake!(
        "positions-by-the-wrong-index",
        [|it| it.positions = Positions::ByExample, |it| it.positions = Positions::ByToken]
    ),
    rule_mistake!(
        "positions-off",
        [
            |it| it.positions = Positions::FromOne,
            |it| it.positions = Positions::FirstRow,
            |it| it.positions = Positions::Backwards,
            |it| it.positions = Positions::FromEnd,
        ]
    ),
    rule_mistake!("tokens-times-positions", [|it| it.positions = Positions::Multiplied]),
    rule_mistake!("positions-before-each-layer", [|it| it.positions = Positions::EachLayer]),
    rule_mistake!("positions-begin-again", [|it| it.positions = Positions::AgainAfterSixteen]),
    rule_mistake!("padding-row-used", [|it| it.clears_padding = false]),
    rule_mistake!("layers-share-parameters", [|it| it.layers = Layers::FirstForAll]),
    rule_mistake!(
        "layers-left-out",
        [
            |it| it.layers = Layers::FirstOnly,
            |it| it.layers = Layers::AllButLast,
            |it| it.layers = Layers::FromTheStart,
        ]
    ),
    rule_mistake!(
        "layers-out-of-order",
        [|it| it.layers = Layers::Backwards, |it| it.layers = Layers::Summed]
    ),
    rule_mistake!("final-norm-missing", [|it| it.ends = Ends::Never, |it| it.ends = Ends::First]),
    rule_mistake!(
        "final-norm-epsilon",
        [
            |it| it.final_norm.epsilon = 1e-3,
            |it| it.final_norm.epsilon = 1e-6,
            alone(|it| it.final_norm.epsilon = 1e-8),
            alone(|it| it.final_norm.epsilon = 1e-12),
            alone(|it| it.final_norm.epsilon = 0.0),
        ]
    ),
    rule_mistake!("final-norm-always", [|it| it.ends = Ends::Always]),
    rule_mistake!("encoder-hides-nothing", [|it| it.mask = Mask::Open]),
    rule_mistake!("encoder-mask-inverted", [|it| it.mask = Mask::Inverted]),
    rule_mistake!("mask-made-of-ids", [|it| it.mask_of_ids = true]),
    rule_mistake!(
        "unknown-ids-taken",
        [|it| it.unknown = Beyond::Clamped, |it| it.unknown = Beyond::Wrapped]
    ),
    rule_mistake!("unknown-ids-panic", [|it| it.unknown = Beyond::Panicked]),
    rule_mistake!("layers-unwrapped", [|it| it.unwraps = true]),
    rule_mistake!(
        "long-texts-taken",
        [|it| it.too_long = Beyond::Clamped, |it| it.too_long = Beyond::Wrapped]
    ),
    rule_mistake!("long-texts-panic", [|it| it.too_long = Beyond::Panicked]),
    rule_mistake!("embedding-dropout-missing", [|it| it.dropping.when = When::Never]),
    rule_mistake!("embedding-dropout-unscaled", [|it| it.dropping.scales = false]),
    rule_mistake!("embedding-dropout-always", [|it| it.dropping.when = When::Always]),
    rule_mistake!("embedding-dropout-inverted", [|it| it.dropping.inverted = true]),
    rule_mistake!(
        "layers-told-otherwise",
        [
            |it| it.tells_layers = Some(false),
            |it| it.tells_layers = Some(true),
            |it| it.tells_first_alone = true,
        ]
    ),
    rule_mistake!("embeddings-detached", [], &[|_, _, to| to.ends_with("_embedding.weight")]),
];
