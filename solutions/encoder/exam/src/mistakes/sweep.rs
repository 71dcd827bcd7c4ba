//! Mistakes in the sweep over configurations.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::sweep::{Budget, NotANumber, RIGHT, Rules, Tie, Visits, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("chosen-by-other-scores", [|it| it.by = "test", |it| it.by = "train"]),
    rule_mistake!("lowest-wins", [|it| it.lowest = true]),
    rule_mistake!("last-of-equals", [|it| it.tie = Tie::Last]),
    rule_mistake!(
        "nan-wins",
        [|it| it.not_a_number = NotANumber::StaysFirst, |it| it.not_a_number = NotANumber::Wins]
    ),
    rule_mistake!("nan-panics", [|it| it.not_a_number = NotANumber::Panics]),
    rule_mistake!("grid-in-another-order", [|it| it.visits = Visits::SizesFirst]),
    rule_mistake!(
        "combinations-missing",
        [
            |it| it.visits = Visits::AllButLast,
            |it| it.visits = Visits::Pairs,
            |it| it.visits = Visits::FirstTwice,
        ]
    ),
    rule_mistake!(
        "budget-overrun",
        [
            |it| it.budget = Budget::Ignored,
            |it| it.budget = Budget::OneMore,
            |it| it.budget = Budget::EachRate,
        ]
    ),
];
