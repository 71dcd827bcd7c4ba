//! Mistakes that change rules of a component, each alone and in pairs.
//!
//! An imitation computes by rules, so a mistake is a list of changes of right rules, one for each
//! way in which students make it. Two mistakes at once are two changes.

use std::fmt::Debug;

use softmark_checks::Case;

use crate::{Mistake, Pair, Response};

/// Mistake that changes rules of a right component; made by
/// [`rule_mistake!`](crate::rule_mistake).
#[derive(Debug)]
pub struct RuleMistake<R: 'static> {
    /// Mistake with an imitation for each change.
    pub mistake: Mistake,
    /// Changes that are combined with those of other mistakes.
    pub combined: &'static [fn(&mut R)],
}

impl<R> RuleMistake<R> {
    /// Constructs a mistake that no change of rules describes.
    pub const fn other(mistake: Mistake) -> Self {
        Self { mistake, combined: &[] }
    }
}

/// Mistakes of a task that change rules, and how a component is imitated by rules.
#[derive(Debug)]
pub struct Catalog<R: 'static> {
    /// Rules of a right component.
    pub right: R,
    /// Function that computes the response of a component by its rules.
    pub imitate: fn(&R, &Case) -> Response,
    /// Mistakes, the more specific ones first.
    pub mistakes: &'static [RuleMistake<R>],
}

impl<R: Clone + Debug + Send + Sync + 'static> Catalog<R> {
    /// Returns the mistakes without the changes that they consist of.
    pub fn mistakes(&self) -> Vec<Mistake> {
        self.mistakes.iter().map(|it| it.mistake).collect()
    }

    /// Returns all pairs of changes of different mistakes.
    ///
    /// Two changes of the same rule are omitted, because the second would override the first.
    pub fn pairs(&self) -> Vec<Pair> {
        let each = self.mistakes.iter();
        let changes: Vec<Alone<R>> = each
            .flat_map(|of| of.combined.iter().map(|it| Alone::new(of.mistake.id, *it, &self.right)))
            .collect();
        let mut pairs = Vec::new();
        for (at, one) in changes.iter().enumerate() {
            for other in changes.iter().skip(at + 1).filter(|other| other.id != one.id) {
                if let Some(rules) = one.then(other).or_else(|| other.then(one)) {
                    let imitate = self.imitate;
                    let imitate = Box::new(move |case: &Case| imitate(&rules, case));
                    pairs.push(Pair { ids: [one.id, other.id], imitate });
                }
            }
        }
        pairs
    }
}

/// Row of a [catalog](Catalog) in an exam crate: [`mistake!`](crate::mistake) with an imitation for each
/// change of rules, and its cuts if it has any. Without changes, only the cuts distinguish it from
/// a right component.
///
/// A change `alone(…)` is one of the less usual variants of a mistake, which are not combined with
/// other mistakes.
///
/// ```text
/// rule_mistake!("missing-scale", [|it| it.scale = |_| 1.0]),
/// rule_mistake!("wrong-base", [|it| it.base = 1_000.0, alone(|it| it.base = 2_000.0)]),
/// rule_mistake!("first-detached", [], &[|case, _, _| case.get_size("kind") == 2]),
/// ```
///
/// `RIGHT` and `imitate` of the module that uses it are the right rules and the function that
/// computes by rules.
#[macro_export]
macro_rules! rule_mistake {
    (@ $id:literal, $cuts:expr, [$($all:expr,)*], [$($combined:expr,)*],) => {
        $crate::rules::RuleMistake {
            mistake: $crate::mistake!(
                $id,
                &[$(|case| $crate::rules::imitation(&RIGHT, imitate, $all, case)),*],
                $cuts
            ),
            combined: &[$($combined),*],
        }
    };
    (@ $id:literal, $cuts:expr, [$($all:expr,)*], [$($combined:expr,)*],
        alone($change:expr) $(, $($rest:tt)*)?) => {
        $crate::rule_mistake!(@ $id, $cuts, [$($all,)* $change,], [$($combined,)*], $($($rest)*)?)
    };
    (@ $id:literal, $cuts:expr, [$($all:expr,)*], [$($combined:expr,)*],
        $change:expr $(, $($rest:tt)*)?) => {
        $crate::rule_mistake!(
            @ $id, $cuts, [$($all,)* $change,], [$($combined,)* $change,], $($($rest)*)?
        )
    };
    ($id:literal, [$($changes:tt)*]) => {
        $crate::rule_mistake!($id, [$($changes)*], &[])
    };
    ($id:literal, [], $cuts:expr) => {
        $crate::rule_mistake!($id, [alone(|_| {})], $cuts)
    };
    ($id:literal, [$($changes:tt)*], $cuts:expr) => {
        $crate::rule_mistake!(@ $id, $cuts, [], [], $($changes)*)
    };
}

/// Computes the response of a component with one change of right rules; for
/// [`rule_mistake!`](crate::rule_mistake).
pub fn imitation<R: Clone>(
    right: &R,
    imitate: fn(&R, &Case) -> Response,
    change: fn(&mut R),
    case: &Case,
) -> Response {
    imitate(&changed(right, change), case)
}

/// Returns the rules with a change.
fn changed<R: Clone>(rules: &R, change: fn(&mut R)) -> R {
    let mut rules = rules.clone();
    change(&mut rules);
    rules
}

/// Change of a mistake, and the rules with this change alone.
struct Alone<R> {
    id: &'static str,
    change: fn(&mut R),
    rules: R,
    shown: String,
}

impl<R: Clone + Debug> Alone<R> {
    fn new(id: &'static str, change: fn(&mut R), right: &R) -> Self {
        let rules = changed(right, change);
        Self { id, change, shown: format!("{rules:?}"), rules }
    }

    /// Returns the rules with this change and then `other`, unless one of them overrides the other.
    fn then(&self, other: &Self) -> Option<R> {
        let rules = changed(&self.rules, other.change);
        let shown = format!("{rules:?}");
        (shown != self.shown && shown != other.shown).then_some(rules)
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::{Array, Signature};

    use super::*;
    use crate::FailedChecks;

    #[derive(Debug, Clone)]
    struct Rules {
        scale: f64,
        shift: f64,
    }

    const MISTAKE: Mistake = Mistake {
        id: "a",
        task: "t",
        summary: "",
        page: "",
        imitations: &[],
        cuts: &[],
        recordings: &[],
        fails: FailedChecks::UNKNOWN,
    };

    /// The second mistake changes both rules, so it must be made before the first.
    #[test]
    fn changes_are_combined_unless_one_overrides_the_other() {
        static PART: Signature = Signature::new("part", &[], &[], &[]);
        let mistakes: &[RuleMistake<Rules>] = &[
            RuleMistake { mistake: MISTAKE, combined: &[|it| it.scale = 2.0, |it| it.shift = 3.0] },
            RuleMistake {
                mistake: Mistake { id: "b", ..MISTAKE },
                combined: &[|it| (it.scale, it.shift) = (5.0, 7.0)],
            },
            RuleMistake {
                mistake: Mistake { id: "c", ..MISTAKE },
                combined: &[|it| it.scale = 9.0],
            },
        ];
        let imitate =
            |it: &Rules, _: &Case| Response::output(Array::new(&[2], vec![it.scale, it.shift]));
        let case = Case::new(&PART, String::new());
        let pairs = Catalog { right: Rules { scale: 1.0, shift: 0.0 }, imitate, mistakes }.pairs();
        let given: Vec<_> = pairs.iter().map(|it| (it.ids, (it.imitate)(&case))).collect();
        let want =
            |ids, numbers: [f64; 2]| (ids, Response::output(Array::new(&[2], numbers.to_vec())));
        assert_eq!(
            given,
            [
                want(["a", "b"], [2.0, 7.0]),
                want(["a", "b"], [5.0, 3.0]),
                want(["a", "c"], [9.0, 3.0]),
                want(["b", "c"], [9.0, 7.0]),
            ]
        );
    }
}
