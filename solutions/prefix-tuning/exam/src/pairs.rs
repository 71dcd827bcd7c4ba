//! Changes that each mistake of the assignment makes to the rules of a right part.

use encoder_exam::imitate::algebra::When;
use encoder_exam::imitate::classifier::Ends as Head;
use softmark_exam::Pair;
use softmark_exam::pairs::{Change, combined};

use crate::imitate::checkpoint::{self, Keeps, Labels, Refusal};
use crate::imitate::partial::{self, Step, Token};
use crate::imitate::prefix::{self, Gets, Passes, Pools, Seen, Stands};
use crate::imitate::steps::{self, Best, Clips, Decays, Ends, Frozen, Patience, Rate};

/// The pairs of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "prefix" => combined(PREFIX, &prefix::RIGHT, prefix::imitate),
        "partial" => combined(PARTIAL, &partial::RIGHT, partial::imitate),
        "loop" => combined(LOOP, &steps::RIGHT, steps::imitate),
        "checkpoint" => combined(CHECKPOINT, &checkpoint::RIGHT, checkpoint::imitate),
        _ => Vec::new(),
    }
}

const PREFIX: &[Change<prefix::Rules>] = &[
    ("prefix-appended", |it| (it.stands, it.seen) = (Stands::Behind, Seen::OtherEnd)),
    ("mask-extended-at-the-end", |it| it.seen = Seen::OtherEnd),
    ("mask-of-ones", |it| it.seen = Seen::Open),
    ("prefix-hidden", |it| it.seen = Seen::PrefixHidden),
    ("tuned-mask-inverted", |it| it.seen = Seen::Inverted),
    ("one-vector-a-text", |it| it.gets = Gets::FirstVector),
    ("one-vector-a-text", |it| it.gets = Gets::VectorByText),
    ("prefix-given-positions", |it| it.passes = Passes::Positions),
    ("prefix-normed", |it| it.passes = Passes::Norm),
    ("prefix-normed", |it| it.passes = Passes::PositionsAndNorm),
    ("tokens-shifted", |it| it.shifts = true),
    ("prefix-pooled", |it| it.pools = Pools::PrefixToo),
    ("prefix-pooled", |it| it.pools = Pools::PrefixAlone),
    ("prefix-pooled", |it| it.pools = Pools::Everything),
    ("padding-in-the-mean", |it| it.pools = Pools::AllTokens),
    ("padding-in-the-mean", |it| it.pools = Pools::SumByLength),
    ("sum-for-the-mean", |it| it.pools = Pools::Sum),
    ("wrong-places-pooled", |it| it.pools = Pools::WrongPlaces),
    ("first-place-for-the-mean", |it| it.pools = Pools::FirstPlace),
    ("first-place-for-the-mean", |it| it.pools = Pools::FirstToken),
    ("empty-text-divided", |it| it.unguarded = true),
    ("encoder-always-told-to-train", |it| it.tells = Some(true)),
    ("encoder-never-told", |it| it.tells = Some(false)),
    ("prefix-always-asked-for", |it| it.always_asks = true),
    ("tuned-head-without-bias", |it| it.unbiased = true),
    ("tuned-softmax", |it| it.ends = Head::Softmax),
    ("tuned-softmax", |it| it.ends = Head::LogSoftmax),
];

const PARTIAL: &[Change<partial::Rules>] = &[
    ("last-for-the-first", |it| it.token = Token::Last),
    ("last-for-the-first", |it| it.token = Token::LastReal),
    ("mean-for-the-first", |it| it.token = Token::Mean),
    ("mean-for-the-first", |it| it.token = Token::MeanOfAll),
    ("partial-mask-ignored", |it| it.open = true),
    ("one-map-head", |it| it.one_map = true),
    ("partial-softmax", |it| it.ends = Head::Softmax),
    ("partial-softmax", |it| it.ends = Head::LogSoftmax),
    ("head-dropout-always", |it| it.dropping.when = When::Always),
    ("head-dropout-never", |it| it.dropping.when = When::Never),
    ("head-dropout-inverted", |it| it.dropping.inverted = true),
    ("head-norm-missing", |it| it.head = &[Step::Relu, Step::Dropout]),
    ("head-relu-missing", |it| it.head = &[Step::Norm, Step::Dropout]),
    ("relu-before-norm", |it| it.head = &[Step::Relu, Step::Norm, Step::Dropout]),
    ("dropout-before-norm", |it| it.head = &[Step::Dropout, Step::Norm, Step::Relu]),
    ("head-activation-swapped", |it| it.head = &[Step::Norm, Step::Tanh, Step::Dropout]),
    ("head-activation-swapped", |it| it.head = &[Step::Norm, Step::Gelu, Step::Dropout]),
    ("head-normed-over-the-batch", |it| it.head = &[Step::BatchNorm, Step::Relu, Step::Dropout]),
    ("tuned-layers-never-told", |it| it.tells = Some(false)),
    ("tuned-layers-always-told", |it| it.tells = Some(true)),
];

const LOOP: &[Change<steps::Rules>] = &[
    ("cosine-for-linear", |it| it.rate = Rate::Cosine),
    ("decay-by-all-steps", |it| it.rate = Rate::DownByAll),
    ("decay-missing", |it| it.rate = Rate::Up),
    ("learning-rate-constant", |it| it.rate = Rate::Constant),
    ("schedule-of-each-epoch", |it| it.rate = Rate::EachEpoch),
    ("warm-up-from-zero", |it| it.rate = Rate::FromZero),
    ("warm-up-missing", |it| it.rate = Rate::Down),
    ("warm-up-one-step-at-least", |it| it.rate = Rate::OneAtLeast),
    ("warm-up-rounded-down", |it| it.rate = Rate::RoundedDown),
    ("always-scaled-to-the-norm", |it| it.clips = Clips::Always),
    ("clipped-by-value", |it| it.clips = Clips::Values),
    ("clipped-one-by-one", |it| it.clips = Clips::EachAlone),
    ("clipping-missing", |it| it.clips = Clips::Nothing),
    ("frozen-in-the-norm", |it| it.clips = Clips::FrozenToo),
    ("frozen-parameters-decay", |it| it.frozen = Frozen::Decay),
    ("frozen-parameters-learn", |it| it.frozen = Frozen::Learn),
    ("decay-in-the-gradient", |it| it.decays = Decays::Coupled),
    ("weight-decay-missing", |it| it.decays = Decays::Never),
    ("optimizer-renewed", |it| it.renews = true),
    ("highest-loss-wins", |it| it.best = Best::Highest),
    ("infinite-loss-never-best", |it| it.best = Best::BelowInfinity),
    ("later-epoch-of-equals", |it| it.best = Best::LastLowest),
    ("nan-loss-stays-best", |it| it.best = Best::StuckAtNaN),
    ("nan-loss-wins", |it| it.best = Best::NaNWins),
    ("nan-loss-wins", |it| it.best = Best::NaNWinsFromInfinity),
    ("epoch-before-the-best-kept", |it| it.ends = Ends::BeforeBest),
    ("last-epoch-kept", |it| it.ends = Ends::Last),
    ("last-kept-where-none-is-best", |it| it.ends = Ends::BestOrLast),
    ("patience-altogether", |it| it.patience = Patience::Altogether),
    ("patience-from-the-last-epoch", |it| it.patience = Patience::NotBelowTheLast),
    ("patience-ignored", |it| it.patience = Patience::Never),
    ("patience-of-worsening", |it| it.patience = Patience::Worsening),
    ("patience-one-less", |it| it.patience = Patience::OneLess),
    ("patience-one-more", |it| it.patience = Patience::OneMore),
];

const CHECKPOINT: &[Change<checkpoint::Rules>] = &[
    ("biases-not-kept", |it| it.keeps = Keeps::Weights),
    ("encoder-in-the-checkpoint", |it| it.keeps = Keeps::Everything),
    ("head-not-kept", |it| it.keeps = Keeps::Prefix),
    ("kept-by-name", |it| it.keeps = Keeps::NotTheEncoder),
    ("prefix-not-kept", |it| it.keeps = Keeps::Head),
    ("labels-lost", |it| it.labels = Labels::Lost),
    ("labels-sorted", |it| it.labels = Labels::SortedInSaving),
    ("labels-sorted", |it| it.labels = Labels::SortedInLoading),
    ("settings-forgotten", |it| it.forgets = true),
    ("frozen-tensors-taken", |it| it.takes_frozen = true),
    ("misfits-taken", |it| it.takes_misfits = true),
    ("missing-parameters-taken", |it| it.takes_missing = true),
    ("other-encoder-taken", |it| it.takes_other_base = true),
    ("strangers-taken", |it| it.takes_strangers = true),
    ("surplus-passed-over", |it| it.passes_over = true),
    ("loaded-into-copies", |it| it.sets_nothing = true),
    ("set-before-checked", |it| it.refusal = Refusal::OnTheWay),
    ("set-before-checked", |it| it.refusal = Refusal::Last),
];

#[cfg(test)]
mod tests {
    use softmark_exam::pairs::assert_changes_are_imitations;

    use crate::SUITE;

    use super::*;

    #[test]
    fn each_change_is_an_imitation_of_its_mistake() {
        let it = &SUITE;
        assert_changes_are_imitations(it, "prefix", PREFIX, &prefix::RIGHT, prefix::imitate);
        assert_changes_are_imitations(it, "partial", PARTIAL, &partial::RIGHT, partial::imitate);
        assert_changes_are_imitations(it, "loop", LOOP, &steps::RIGHT, steps::imitate);
        assert_changes_are_imitations(
            it,
            "checkpoint",
            CHECKPOINT,
            &checkpoint::RIGHT,
            checkpoint::imitate,
        );
    }
}
