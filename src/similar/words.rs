//! Sentences of the reports.

use crate::report::text::count;
use crate::similar::comparison::{Comparison, Pair};
use crate::similar::passages::LineRange;

/// Meaning of the figures, for people.
pub(super) const MEANING: &str = "\
The share is the part of the smaller submission's own code that the other one has too, whatever the names, literals, \
comments, layout and order of functions. Its own code is what neither the skeleton gives nor more than a quarter of the \
class, and more than four of it, wrote alike.";

/// Limits of the figures, for people.
pub(super) const NO_VERDICT: &str = "\
A figure is a reason to read both submissions, not a verdict: it does not say who wrote the code first, whether \
anybody copied, or whether working together was allowed. Short code that does one thing is alike by chance.";

/// Returns a share in whole percents, rounded down, so that only what is all the same is 100 %.
pub(super) fn percent(share: f64) -> String {
    // 0.29 is a little less than 29 hundredths; shares are quotients of fewer than a million fingerprints.
    format!("{:.0} %", (share * 100.0 + 1e-9).floor())
}

/// Returns the lines of a place, such as `multi_head.rs:9–62`.
pub(super) fn lines(path: &str, place: &LineRange) -> String {
    let LineRange { first, last, .. } = place;
    if first == last { format!("{path}:{first}") } else { format!("{path}:{first}–{last}") }
}

/// Returns the number of submissions and of pairs.
pub(super) fn size(comparison: &Comparison) -> String {
    let class = count(comparison.class_size(), "submission", "submissions");
    let pairs = count(comparison.compared(), "pair", "pairs");
    let earlier = match comparison.members.len() - comparison.class_size() {
        0 => String::new(),
        earlier => format!(", {earlier} of earlier years"),
    };
    let together = match comparison.together {
        0 => String::new(),
        pairs => {
            let pairs = count(pairs, "pair", "pairs");
            format!("; {pairs} of one student or team not compared")
        }
    };
    format!("{class}{earlier}, {pairs}{together}")
}

/// Returns the number of reported pairs, with the condition for a report.
pub(super) fn reported(comparison: &Comparison) -> String {
    let threshold = comparison.threshold;
    let number = match comparison.pairs.len() {
        0 => "no pair has".to_owned(),
        pairs => count(pairs, "pair has", "pairs have"),
    };
    format!(
        "{number} a share of at least {} and {} tokens in all, or a passage of {} tokens",
        percent(threshold.share),
        threshold.tokens,
        threshold.passage.max(threshold.tokens)
    )
}

/// Returns the names of a pair.
pub(super) fn names(comparison: &Comparison, pair: &Pair) -> [String; 2] {
    let name = |index| comparison.member(index).map(|it| it.name.to_string()).unwrap_or_default();
    [name(pair.one), name(pair.other)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_percentage_is_shown_as_it_is() {
        for whole in 0..=100_u32 {
            assert_eq!(percent(f64::from(whole) / 100.0), format!("{whole} %"));
        }
        assert_eq!(percent(0.999_999), "99 %");
    }
}
