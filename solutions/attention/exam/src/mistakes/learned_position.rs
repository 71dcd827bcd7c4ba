//! Mistakes in the learned positional encoding.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::position::{Combine, RIGHT, Row, Rules, TooLong, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("learned-by-batch", [|it| it.row = Row::Example]),
    rule_mistake!("learned-from-one", [|it| it.row = Row::NextPosition]),
    rule_mistake!("learned-input-scaled", [|it| it.combine = Combine::AddToScaled]),
    rule_mistake!("learned-multiplied", [|it| it.combine = Combine::Multiply]),
    rule_mistake!("learned-padded-to-max-len", [|it| it.combine = Combine::AddToPadded]),
    rule_mistake!("learned-replaces", [|it| it.combine = Combine::Replace]),
    rule_mistake!("learned-row-zero-only", [|it| it.row = Row::First]),
    rule_mistake!("learned-rows-from-end", [|it| it.row = Row::FromEnd]),
    rule_mistake!(
        "learned-rows-begin-again",
        [
            |it| it.row = Row::AgainAfter(16),
            alone(|it| it.row = Row::AgainAfter(32)),
            alone(|it| it.row = Row::AgainAfter(64)),
            alone(|it| it.row = Row::AgainAfter(100)),
            alone(|it| it.row = Row::AgainAfter(128)),
            alone(|it| it.row = Row::AgainAfter(256)),
        ]
    ),
    rule_mistake!("learned-rows-reversed", [|it| it.row = Row::Backwards]),
    rule_mistake!("learned-never-asked", [alone(|it| it.combine = Combine::Omit)]),
    rule_mistake!("learned-detached", [], &[|_, _, to| to == "position_embedding.weight"]),
    rule_mistake!("learned-too-long-clamped", [|it| it.too_long = TooLong::Clamped]),
    rule_mistake!("learned-too-long-wraps", [|it| it.too_long = TooLong::Wraps]),
    rule_mistake!("learned-too-long-panics", [|it| it.too_long = TooLong::Panics]),
];
