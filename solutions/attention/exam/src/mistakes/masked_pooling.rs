//! Mistakes in masked pooling.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::pooling::{
    LEFT_OUT, Nothing, Over, Padding, RIGHT, Rule, Rules, Token, imitate,
};

/// Padding is taken for tokens, and a sequence of it is no special case.
const IGNORED: Rule = Rule { padding: Padding::Included, nothing: Nothing::AsComputed, ..LEFT_OUT };

const INVERTED: Rule = Rule { padding: Padding::Inverted, ..LEFT_OUT };

const INVERTED_AS_COMPUTED: Rule = Rule { nothing: Nothing::AsComputed, ..INVERTED };

const OVER_EXAMPLES: Rule = Rule { over: Over::Examples, ..LEFT_OUT };

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("pooling-ignores-mask", [alone(|it| [it.mean, it.max, it.first] = [IGNORED; 3])]),
    rule_mistake!(
        "pooling-mask-inverted",
        [
            alone(|it| [it.mean, it.max, it.first] = [INVERTED; 3]),
            alone(|it| [it.mean, it.max, it.first] = [INVERTED_AS_COMPUTED; 3]),
        ]
    ),
    rule_mistake!(
        "first-ignores-mask",
        [
            |it| it.first.padding = Padding::Included,
            alone(|it| (it.first.padding, it.first.nothing) =
                (Padding::Included, Nothing::AsComputed)),
        ]
    ),
    rule_mistake!(
        "first-of-batch",
        [
            alone(|it| (it.first.padding, it.first.nothing, it.first.over) =
                (Padding::Included, Nothing::AsComputed, Over::Examples)),
            alone(|it| it.first.over = Over::Examples),
        ]
    ),
    rule_mistake!("last-instead-of-first", [|it| it.first.token = Token::Last]),
    rule_mistake!(
        "max-over-padding",
        [
            |it| it.max.padding = Padding::Included,
            alone(|it| (it.max.padding, it.max.nothing) = (Padding::Included, Nothing::AsComputed)),
        ]
    ),
    rule_mistake!("max-zero-for-padding", [|it| it.max.padding = Padding::SetTo(0.0)]),
    rule_mistake!("mean-divided-by-length", [|it| it.mean.padding = Padding::SetTo(0.0)]),
    rule_mistake!(
        "mean-over-padding",
        [
            |it| it.mean.padding = Padding::Included,
            alone(
                |it| (it.mean.padding, it.mean.nothing) = (Padding::Included, Nothing::AsComputed)
            ),
        ]
    ),
    rule_mistake!(
        "pooling-over-batch",
        [
            alone(|it| [it.mean, it.max] = [OVER_EXAMPLES; 2]),
            alone(|it| [it.mean, it.max, it.first] = [OVER_EXAMPLES; 3]),
            |it| it.mean.over = Over::Examples,
            |it| it.max.over = Over::Examples,
        ]
    ),
    rule_mistake!("empty-mask-first-token", [|it| it.first.nothing = Nothing::FirstPosition]),
    rule_mistake!(
        "empty-mask-infinite",
        [|it| it.max.nothing = Nothing::Number(f64::NEG_INFINITY)]
    ),
    rule_mistake!("empty-mask-nan", [|it| it.mean.nothing = Nothing::AsComputed]),
    rule_mistake!("first-detached", [], &[|case, _, _| case.get_size("kind") == 2]),
    rule_mistake!(
        "strided-input-refused",
        [alone(|it| it.first.refuses_strided = true), |it| {
            for rule in [&mut it.mean, &mut it.max, &mut it.first] {
                rule.refuses_strided = true;
            }
        }]
    ),
];
