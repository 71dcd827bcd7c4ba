//! Mistakes in capturing attention weights.

use softmark_exam::rule_mistake;
use softmark_exam::rules::{Catalog, RuleMistake};

use crate::imitate::capture::{Errors, Keeps, Leaves, RIGHT, Rules, Unknown, Unnamed, imitate};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("hook-dropped-at-once", [|it| it.keeps = Keeps::Nothing]),
    rule_mistake!("only-last-call-kept", [|it| it.keeps = Keeps::Last]),
    rule_mistake!("only-first-call-kept", [|it| it.keeps = Keeps::First]),
    rule_mistake!("calls-in-reverse", [|it| it.keeps = Keeps::Backwards]),
    rule_mistake!("repeats-dropped", [|it| it.keeps = Keeps::Distinct]),
    rule_mistake!("calls-of-one-shape-merged", [|it| it.keeps = Keeps::OneOfEachShape]),
    rule_mistake!("history-kept", [|it| it.history = true]),
    rule_mistake!("hook-left-behind", [|it| it.leaves = Leaves::Always]),
    rule_mistake!("hook-left-on-error", [|it| it.leaves = Leaves::OnError]),
    rule_mistake!("epoch-error-swallowed", [|it| it.errors = Errors::Swallowed]),
    rule_mistake!("missing-weights-passed-over", [|it| it.unnamed = Unnamed::PassedOver]),
    rule_mistake!("every-module-captured", [|it| it.both_modules = true]),
    rule_mistake!("heads-averaged", [|it| it.averages = true]),
    rule_mistake!("epoch-run-twice", [|it| it.epochs = 2]),
    rule_mistake!(
        "unknown-module-let-pass",
        [|it| it.unknown = Unknown::Ignored, |it| it.unknown = Unknown::RefusedLate]
    ),
];
