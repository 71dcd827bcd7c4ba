//! Changes that each mistake of the assignment makes to the rules of a right part.

use softmark_exam::Pair;
use softmark_exam::pairs::{Change, combined};

use crate::imitate::capture::{self, Errors, Keeps, Leaves, Unknown, Unnamed};
use crate::imitate::statistics::{self, Empty, EmptyText, Mean, Zero};

/// The pairs of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "capture" => combined(CAPTURE, &capture::RIGHT, capture::imitate),
        "statistics" => combined(STATISTICS, &statistics::RIGHT, statistics::imitate),
        "encoder-layer" => (encoder_exam::SUITE.pairs)(task),
        _ => Vec::new(),
    }
}

const CAPTURE: &[Change<capture::Rules>] = &[
    ("calls-in-reverse", |it| it.keeps = Keeps::Backwards),
    ("calls-of-one-shape-merged", |it| it.keeps = Keeps::OneOfEachShape),
    ("hook-dropped-at-once", |it| it.keeps = Keeps::Nothing),
    ("only-first-call-kept", |it| it.keeps = Keeps::First),
    ("only-last-call-kept", |it| it.keeps = Keeps::Last),
    ("repeats-dropped", |it| it.keeps = Keeps::Distinct),
    ("hook-left-behind", |it| it.leaves = Leaves::Always),
    ("hook-left-on-error", |it| it.leaves = Leaves::OnError),
    ("epoch-error-swallowed", |it| it.errors = Errors::Swallowed),
    ("epoch-run-twice", |it| it.epochs = 2),
    ("every-module-captured", |it| it.both_modules = true),
    ("heads-averaged", |it| it.averages = true),
    ("history-kept", |it| it.history = true),
    ("missing-weights-passed-over", |it| it.unnamed = Unnamed::PassedOver),
    ("unknown-module-let-pass", |it| it.unknown = Unknown::Ignored),
    ("unknown-module-let-pass", |it| it.unknown = Unknown::RefusedLate),
];

const STATISTICS: &[Change<statistics::Rules>] = &[
    ("distance-not-halved", |it| it.halved = false),
    ("distance-over-padding", |it| it.distance_of_all = true),
    ("empty-text-refused", |it| it.empty_text = EmptyText::Refused),
    ("empty-text-spoils-distance", |it| it.empty_text = EmptyText::Divided),
    ("heads-counted-together", |it| it.by_head = false),
    ("logarithm-to-base-two", |it| it.natural = false),
    ("mean-of-means", |it| it.mean = Mean::Texts(Empty::LeftOut)),
    ("mean-of-means", |it| it.mean = Mean::Texts(Empty::NotANumber)),
    ("mean-of-means", |it| it.mean = Mean::Texts(Empty::Zero)),
    ("padded-queries-counted", |it| it.mean = Mean::AllQueries),
    ("no-token-no-error", |it| it.refuses_empty = false),
    ("padding-multiplied-by-zero", |it| it.leaves_out = false),
    ("share-of-real-tokens", |it| it.on_padding = false),
    ("uniform-over-places", |it| it.uniform_over_real = false),
    ("views-of-weights-refused", |it| it.takes_views = false),
    ("zero-weight-not-a-number", |it| it.zero = Zero::NotANumber),
];

#[cfg(test)]
mod tests {
    use softmark_exam::pairs::assert_changes_are_imitations;

    use crate::SUITE;

    use super::*;

    #[test]
    fn each_change_is_an_imitation_of_its_mistake() {
        let it = &SUITE;
        assert_changes_are_imitations(it, "capture", CAPTURE, &capture::RIGHT, capture::imitate);
        assert_changes_are_imitations(
            it,
            "statistics",
            STATISTICS,
            &statistics::RIGHT,
            statistics::imitate,
        );
    }
}
