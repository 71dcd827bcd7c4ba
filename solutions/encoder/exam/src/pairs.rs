//! Changes that each mistake of the assignment makes to the rules of a right part.

use softmark_exam::Pair;
use softmark_exam::pairs::{Change, combined};

use crate::imitate::algebra::{Over, When};
use crate::imitate::classifier::{self, Pools};
use crate::imitate::encoder::{self, Beyond, Layers, Positions};
use crate::imitate::feed_forward::{self, Activation, DropsAt, Stands};
use crate::imitate::glove::{self, Missing, Ragged, Spelling};
use crate::imitate::layer::{self, Base, Mask, Names, Order, Placement};
use crate::imitate::sweep::{self, Budget, NotANumber, Tie, Visits};

/// The pairs of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "feed-forward" => combined(FEED_FORWARD, &feed_forward::RIGHT, feed_forward::imitate),
        "encoder-layer" => combined(LAYER, &layer::RIGHT, layer::imitate),
        "encoder" => combined(ENCODER, &encoder::RIGHT, encoder::imitate),
        "classifier" => combined(CLASSIFIER, &classifier::RIGHT, classifier::imitate),
        "glove" => combined(GLOVE, &glove::RIGHT, glove::imitate),
        "sweep" => combined(SWEEP, &sweep::RIGHT, sweep::imitate),
        _ => Vec::new(),
    }
}

const FEED_FORWARD: &[Change<feed_forward::Rules>] = &[
    ("activation-after-output", |it| it.stands = Stands::After),
    ("activation-after-output", |it| it.stands = Stands::Both),
    ("activation-missing", |it| it.activation = Activation::Missing),
    ("activation-swapped", |it| it.activation = Activation::Swapped),
    ("gelu-approximated", |it| it.activation = Activation::Tanh),
    ("gelu-approximated", |it| it.activation = Activation::Sigmoid),
    ("one-activation-for-all", |it| it.activation = Activation::Relu),
    ("one-activation-for-all", |it| it.activation = Activation::Gelu),
    ("maps-without-bias", |it| it.biases = [false, false]),
    ("maps-without-bias", |it| it.biases[0] = false),
    ("maps-without-bias", |it| it.biases[1] = false),
    ("dropout-on-output", |it| it.drops_at = DropsAt::Output),
    ("dropout-on-output", |it| it.drops_at = DropsAt::Both),
    ("hidden-dropout-always", |it| it.dropping.when = When::Always),
    ("hidden-dropout-missing", |it| it.dropping.when = When::Never),
    ("hidden-dropout-inverted", |it| it.dropping.inverted = true),
    ("hidden-dropout-unscaled", |it| it.dropping.scales = false),
    ("hidden-normed-over-batch", |it| it.norms_over_batch = true),
    ("network-adds-its-input", |it| it.residual = true),
    ("network-refuses-views", |it| it.refuses_strided = true),
];

const LAYER: &[Change<layer::Rules>] = &[
    ("always-post-norm", |it| it.placement = Placement::Post),
    ("always-pre-norm", |it| it.placement = Placement::Pre),
    ("norm-placements-swapped", |it| it.placement = Placement::Swapped),
    ("norms-missing", |it| it.placement = Placement::Nowhere),
    ("both-residuals-missing", |it| it.bases = [Base::Nothing, Base::Nothing]),
    ("first-residual-missing", |it| it.bases[0] = Base::Nothing),
    ("second-residual-missing", |it| it.bases[1] = Base::Nothing),
    ("residual-after-norm", |it| it.bases = [Base::Normed, Base::Normed]),
    ("residual-after-norm", |it| it.bases[0] = Base::Normed),
    ("residual-after-norm", |it| it.bases[1] = Base::Normed),
    ("residual-of-itself", |it| it.bases = [Base::Itself, Base::Itself]),
    ("residual-of-itself", |it| it.bases[0] = Base::Itself),
    ("residual-of-itself", |it| it.bases[1] = Base::Itself),
    ("residual-of-itself", |it| it.bases[1] = Base::Attended),
    ("second-residual-from-input", |it| it.bases[1] = Base::Input),
    ("epsilon-outside-root", |it| it.norm.outside = true),
    ("norm-epsilon", |it| it.norm.epsilon = 1e-3),
    ("norm-epsilon", |it| it.norm.epsilon = 1e-6),
    ("norm-epsilon", |it| it.norm.epsilon = 1e-8),
    ("norm-epsilon", |it| it.norm.epsilon = 1e-12),
    ("norm-off-formula", |it| it.norm.centered = false),
    ("norm-off-formula", |it| it.norm.rooted = false),
    ("norm-over-positions", |it| it.norm.over = Over::Positions),
    ("norm-over-positions", |it| it.norm.over = Over::Example),
    ("norm-unbiased", |it| it.norm.unbiased = true),
    ("norm-without-affine", |it| (it.norm.weight, it.norm.bias) = (false, false)),
    ("norm-without-affine", |it| it.norm.bias = false),
    ("norm-without-affine", |it| it.norm.weight = false),
    ("norms-shared", |it| it.names = Names::First),
    ("norms-shared", |it| it.names = Names::Second),
    ("norms-swapped", |it| it.names = Names::Swapped),
    ("layer-attends-across-batch", |it| it.across = true),
    ("layer-ends-in-norm", |it| it.ends_in_norm = true),
    ("layer-hides-nothing", |it| it.mask = Mask::Open),
    ("layer-mask-inverted", |it| it.mask = Mask::Inverted),
    ("layer-refuses-views", |it| it.refuses_strided = true),
    ("parts-unwrapped", |it| it.uneven = softmark_exam::Response::Panicked),
    ("sublayer-dropout-always", |it| it.dropping.when = When::Always),
    ("sublayer-dropout-inverted", |it| it.dropping.inverted = true),
    ("sublayer-dropout-unscaled", |it| it.dropping.scales = false),
    ("sublayer-dropout-missing", |it| it.drops = [false, false]),
    ("sublayer-dropout-missing", |it| it.drops[0] = false),
    ("sublayer-dropout-missing", |it| it.drops[1] = false),
    ("sublayers-not-told", |it| it.tells = [false; 2]),
    ("sublayers-not-told", |it| it.tells[0] = false),
    ("sublayers-not-told", |it| it.tells[1] = false),
    ("sublayers-out-of-order", |it| it.order = Order::Parallel),
    ("sublayers-out-of-order", |it| it.order = Order::FeedForwardFirst),
    ("sublayers-out-of-order", |it| it.order = Order::AttentionAlone),
];

const ENCODER: &[Change<encoder::Rules>] = &[
    ("embedding-dropout-always", |it| it.dropping.when = When::Always),
    ("embedding-dropout-inverted", |it| it.dropping.inverted = true),
    ("embedding-dropout-missing", |it| it.dropping.when = When::Never),
    ("embedding-dropout-unscaled", |it| it.dropping.scales = false),
    ("encoder-hides-nothing", |it| it.mask = Mask::Open),
    ("encoder-mask-inverted", |it| it.mask = Mask::Inverted),
    ("mask-made-of-ids", |it| it.mask_of_ids = true),
    ("final-norm-always", |it| it.ends = encoder::Ends::Always),
    ("final-norm-missing", |it| it.ends = encoder::Ends::Never),
    ("final-norm-missing", |it| it.ends = encoder::Ends::First),
    ("layers-left-out", |it| it.layers = Layers::FirstOnly),
    ("layers-left-out", |it| it.layers = Layers::AllButLast),
    ("layers-left-out", |it| it.layers = Layers::FromTheStart),
    ("layers-out-of-order", |it| it.layers = Layers::Backwards),
    ("layers-out-of-order", |it| it.layers = Layers::Summed),
    ("layers-share-parameters", |it| it.layers = Layers::FirstForAll),
    ("layers-told-otherwise", |it| it.tells_layers = Some(false)),
    ("layers-told-otherwise", |it| it.tells_layers = Some(true)),
    ("layers-told-otherwise", |it| it.tells_first_alone = true),
    ("final-norm-epsilon", |it| it.final_norm.epsilon = 1e-3),
    ("final-norm-epsilon", |it| it.final_norm.epsilon = 1e-6),
    ("layers-unwrapped", |it| it.unwraps = true),
    ("padding-row-used", |it| it.clears_padding = false),
    ("positions-before-each-layer", |it| it.positions = Positions::EachLayer),
    ("positions-begin-again", |it| it.positions = Positions::AgainAfterSixteen),
    ("positions-by-the-wrong-index", |it| it.positions = Positions::ByExample),
    ("positions-by-the-wrong-index", |it| it.positions = Positions::ByToken),
    ("positions-missing", |it| it.positions = Positions::Missing),
    ("positions-off", |it| it.positions = Positions::FromOne),
    ("positions-off", |it| it.positions = Positions::FirstRow),
    ("positions-off", |it| it.positions = Positions::Backwards),
    ("positions-off", |it| it.positions = Positions::FromEnd),
    ("tokens-times-positions", |it| it.positions = Positions::Multiplied),
    ("tokens-scaled", |it| it.scale = f64::sqrt),
    ("long-texts-taken", |it| it.too_long = Beyond::Clamped),
    ("long-texts-taken", |it| it.too_long = Beyond::Wrapped),
    ("long-texts-panic", |it| it.too_long = Beyond::Panicked),
    ("unknown-ids-panic", |it| it.unknown = Beyond::Panicked),
    ("unknown-ids-taken", |it| it.unknown = Beyond::Clamped),
    ("unknown-ids-taken", |it| it.unknown = Beyond::Wrapped),
];

const CLASSIFIER: &[Change<classifier::Rules>] = &[
    ("activation-at-head", |it| it.ends = classifier::Ends::Relu),
    ("activation-at-head", |it| it.ends = classifier::Ends::Sigmoid),
    ("activation-at-head", |it| it.squashes = true),
    ("softmax-after-head", |it| it.ends = classifier::Ends::Softmax),
    ("softmax-after-head", |it| it.ends = classifier::Ends::LogSoftmax),
    ("head-without-bias", |it| it.biased = false),
    ("empty-text-not-a-number", |it| it.guards = false),
    ("encoder-told-otherwise", |it| it.tells = Some(false)),
    ("encoder-told-otherwise", |it| it.tells = Some(true)),
    ("encoder-unwrapped", |it| it.unwraps = true),
    ("encoder-without-mask", |it| it.passes_mask = false),
    ("padding-pooled", |it| it.pools = Pools::MeanOfAll),
    ("padding-pooled", |it| it.pools = Pools::MeanOfPadding),
    ("pooled-to-sum", |it| it.pools = Pools::Sum),
    ("pooled-to-sum", |it| it.pools = Pools::SumByLength),
    ("single-token-pooled", |it| it.pools = Pools::First),
    ("single-token-pooled", |it| it.pools = Pools::Last),
    ("largest-pooled", |it| it.pools = Pools::Max),
    ("texts-pooled-together", |it| it.pools = Pools::OverExamples),
];

const GLOVE: &[Change<glove::Rules>] = &[
    ("coverage-miscounted", |it| it.counts_lines = true),
    ("coverage-miscounted", |it| it.counts_padding = true),
    ("fields-taken-for-numbers", |it| it.takes_not_finite = true),
    ("fields-taken-for-numbers", |it| it.no_number = Ragged::Fitted),
    ("fields-taken-for-numbers", |it| it.no_number = Ragged::Skipped),
    ("fields-panic", |it| it.no_number = Ragged::Panicked),
    ("last-line-counts", |it| it.last_line_counts = true),
    ("missing-words-alike", |it| it.missing = Missing::Zeros),
    ("missing-words-alike", |it| it.missing = Missing::Mean),
    ("missing-words-alike", |it| it.missing = Missing::Shared),
    ("missing-words-spread", |it| it.missing = Missing::Fixed(1.0)),
    ("missing-words-spread", |it| it.missing = Missing::WithinDeviation),
    ("missing-words-spread", |it| it.missing = Missing::Fixed(0.1)),
    ("missing-words-spread", |it| it.missing = Missing::Fixed(0.02)),
    ("missing-words-unseeded", |it| it.missing = Missing::Unseeded),
    ("other-files-taken", |it| it.takes_other_files = true),
    ("padding-gets-a-vector", |it| it.clears_padding = false),
    ("ragged-lines-taken", |it| it.ragged = Ragged::Skipped),
    ("ragged-lines-taken", |it| it.ragged = Ragged::Fitted),
    ("ragged-lines-panic", |it| it.ragged = Ragged::Panicked),
    ("rows-misplaced", |it| it.shifted = true),
    ("rows-misplaced", |it| it.in_order_of_file = true),
    ("spelling-looked-up", |it| it.spelling = Spelling::Written),
    ("spelling-looked-up", |it| it.spelling = Spelling::Lower),
];

const SWEEP: &[Change<sweep::Rules>] = &[
    ("budget-overrun", |it| it.budget = Budget::Ignored),
    ("budget-overrun", |it| it.budget = Budget::OneMore),
    ("budget-overrun", |it| it.budget = Budget::EachRate),
    ("chosen-by-other-scores", |it| it.by = "test"),
    ("chosen-by-other-scores", |it| it.by = "train"),
    ("combinations-missing", |it| it.visits = Visits::AllButLast),
    ("combinations-missing", |it| it.visits = Visits::Pairs),
    ("combinations-missing", |it| it.visits = Visits::FirstTwice),
    ("grid-in-another-order", |it| it.visits = Visits::SizesFirst),
    ("last-of-equals", |it| it.tie = Tie::Last),
    ("lowest-wins", |it| it.lowest = true),
    ("nan-wins", |it| it.not_a_number = NotANumber::StaysFirst),
    ("nan-wins", |it| it.not_a_number = NotANumber::Wins),
    ("nan-panics", |it| it.not_a_number = NotANumber::Panics),
];

#[cfg(test)]
mod tests {
    use softmark_exam::pairs::assert_changes_are_imitations;

    use crate::SUITE;

    use super::*;

    #[test]
    fn each_change_is_an_imitation_of_its_mistake() {
        let it = &SUITE;
        assert_changes_are_imitations(
            it,
            "feed-forward",
            FEED_FORWARD,
            &feed_forward::RIGHT,
            feed_forward::imitate,
        );
        assert_changes_are_imitations(it, "encoder-layer", LAYER, &layer::RIGHT, layer::imitate);
        assert_changes_are_imitations(it, "encoder", ENCODER, &encoder::RIGHT, encoder::imitate);
        assert_changes_are_imitations(
            it,
            "classifier",
            CLASSIFIER,
            &classifier::RIGHT,
            classifier::imitate,
        );
        assert_changes_are_imitations(it, "glove", GLOVE, &glove::RIGHT, glove::imitate);
        assert_changes_are_imitations(it, "sweep", SWEEP, &sweep::RIGHT, sweep::imitate);
    }
}
