//! Mistakes in statistics of attention weights.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::statistics::{Empty, EmptyText, Mean, RIGHT, Rules, Zero, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("logarithm-to-base-two", [|it| it.natural = false]),
    rule_mistake!("zero-weight-not-a-number", [|it| it.zero = Zero::NotANumber]),
    rule_mistake!("uniform-over-places", [|it| it.uniform_over_real = false]),
    rule_mistake!("distance-over-padding", [|it| it.distance_of_all = true]),
    rule_mistake!("distance-not-halved", [|it| it.halved = false]),
    rule_mistake!("share-of-real-tokens", [|it| it.on_padding = false]),
    rule_mistake!("padded-queries-counted", [|it| it.mean = Mean::AllQueries]),
    rule_mistake!("padding-multiplied-by-zero", [|it| it.leaves_out = false]),
    rule_mistake!("empty-text-spoils-distance", [|it| it.empty_text = EmptyText::Divided]),
    rule_mistake!("empty-text-refused", [|it| it.empty_text = EmptyText::Refused]),
    rule_mistake!(
        "mean-of-means",
        [
            |it| it.mean = Mean::Texts(Empty::LeftOut),
            |it| it.mean = Mean::Texts(Empty::NotANumber),
            |it| it.mean = Mean::Texts(Empty::Zero),
        ]
    ),
    rule_mistake!("heads-counted-together", [|it| it.by_head = false]),
    rule_mistake!("views-of-weights-refused", [|it| it.takes_views = false]),
    rule_mistake!("no-token-no-error", [|it| it.refuses_empty = false]),
];
