//! Sentences of the reports.

use crate::report::text::count;
use crate::similar::comparison::{Comparison, Pair};
use crate::similar::passages::Place;

/// Meaning of the figures, for people.
pub(super) const MEANING: &str = "\
The share is the part of the smaller submission's own code that the other one has too, whatever the names, literals, \
comments, layout and order of functions. Its own code is what neither the skeleton gives nor more than a quarter of the \
class has written alike.";

/// What the figures do not mean, for people.
pub(super) const NO_VERDICT: &str = "\
A figure is a reason to read both submissions, not a verdict: it does not say who wrote the code first, whether \
anybody copied, or whether working together was allowed. Short code that does one thing is alike by chance.";

/// Returns a share in whole percents, rounded down, so that only what is all the same is 100 %.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", (share * 100.0).floor())
}

/// Returns the lines of a place, such as `multi_head.rs:9–62`.
pub(super) fn lines(path: &str, place: &Place) -> String {
    let Place { first, last, .. } = place;
    if first == last { format!("{path}:{first}") } else { format!("{path}:{first}–{last}") }
}

/// Returns the number of submissions and of pairs.
pub(super) fn size(comparison: &Comparison) -> String {
    let class = count(comparison.class_size(), "submission", "submissions");
    let pairs = count(comparison.compared(), "pair", "pairs");
    match comparison.members.len() - comparison.class_size() {
        0 => format!("{class}, {pairs}"),
        earlier => format!("{class}, {earlier} of earlier years, {pairs}"),
    }
}

/// Returns the condition for a report.
pub(super) fn condition(comparison: &Comparison) -> String {
    let threshold = comparison.threshold;
    format!(
        "from {} and {} tokens on, or with a passage of {} tokens",
        percent(threshold.share),
        threshold.tokens,
        threshold.passage.max(threshold.tokens)
    )
}

/// Returns the number of reported pairs, with the condition.
pub(super) fn reported(comparison: &Comparison) -> String {
    let condition = condition(comparison);
    match comparison.pairs.as_slice() {
        [] => format!("no pair is similar; reported is a pair {condition}"),
        pairs => {
            let number = count(pairs.len(), "pair is", "pairs are");
            format!("{number} similar; reported is a pair {condition}")
        }
    }
}

/// Returns the names of a pair.
pub(super) fn names(comparison: &Comparison, pair: &Pair) -> [String; 2] {
    let name = |index| comparison.member(index).map(|it| it.name.to_string()).unwrap_or_default();
    [name(pair.one), name(pair.other)]
}
