//! Imitations of two mistakes of the assignment at once.
//!
//! Each mistake is one rule changed, so two of them are two rules changed. Where a mistake can be made in
//! several ways, the usual one stands here.

use softmark_exam::pairs::{Change, combined};
use softmark_exam::{Pair, Response};

use crate::imitate::attention::{
    self, Causal, EmptyRow, Masking, Mixes, Returned, Softmax, Strided,
};
use crate::imitate::classifier::{self, Ends, Norm, Pools, Positions, Sees, Unknown};
use crate::imitate::multi_head::{self, Along, Arrange, Ending, Sources};
use crate::imitate::pooling::{self, Nothing, Over, Padding, Token};
use crate::imitate::position::{self, Combine, Row, TooLong};

/// The pairs of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "scaled-dot-product" => combined(SCALED_DOT_PRODUCT, &attention::RIGHT, attention::imitate),
        "multi-head" => combined(MULTI_HEAD, &multi_head::RIGHT, multi_head::imitate),
        "sinusoidal-position" => combined(SINUSOIDAL, &position::RIGHT, position::imitate),
        "learned-position" => combined(LEARNED, &position::RIGHT, position::imitate),
        "masked-pooling" => combined(POOLING, &pooling::RIGHT, pooling::imitate),
        "classifier" => combined(CLASSIFIER, &classifier::RIGHT, classifier::imitate),
        _ => Vec::new(),
    }
}

const SCALED_DOT_PRODUCT: &[Change<attention::Rules>] = &[
    ("missing-scale", |it| it.scale = |_| 1.0),
    ("scale-by-width", |it| it.scale = |k| 1.0 / k),
    ("scale-inverted", |it| it.scale = f64::sqrt),
    ("always-causal", |it| it.causal = Causal::Unmasked),
    ("always-causal", |it| it.causal = Causal::Always),
    ("empty-row-nan", |it| it.empty_row = EmptyRow::NotANumber),
    ("empty-row-uniform", |it| it.empty_row = EmptyRow::Uniform),
    ("inverted-mask", |it| it.masking = Masking::Inverted),
    ("key-reshaped", |it| it.reshapes_keys = true),
    ("keys-mixed", |it| it.mixes = Mixes::Keys),
    ("leaky-mask", |it| it.masking = Masking::Adds(0.0, -10.0)),
    ("leaky-mask", |it| it.masking = Masking::Adds(0.0, -100.0)),
    ("shallow-mask", |it| it.masking = Masking::Adds(0.0, -1e4)),
    ("shallow-mask", |it| it.masking = Masking::Adds(0.0, -1e5)),
    ("shallow-mask", |it| it.masking = Masking::Adds(0.0, -1e9)),
    ("filler-not-lowest", |it| it.masking = Masking::SetsTo(-100.0)),
    ("filler-not-lowest", |it| it.masking = Masking::SetsTo(-1e4)),
    ("filler-not-lowest", |it| it.masking = Masking::SetsTo(-1e9)),
    ("zero-one-mask-added", |it| it.masking = Masking::Adds(1.0, 0.0)),
    ("mask-after-softmax", |it| it.masking = Masking::AfterSoftmax),
    ("mask-ignored", |it| it.masking = Masking::Ignored),
    ("output-without-mask", |it| it.masking = Masking::WeightsOnly),
    ("mask-of-first-example", |it| it.mask_of = attention::MaskOf::FirstExample),
    ("mask-of-first-head", |it| it.mask_of = attention::MaskOf::FirstHead),
    ("reads-memory-order", |it| it.mask_of = attention::MaskOf::Memory),
    ("missing-softmax", |it| it.softmax = Softmax::Missing),
    ("softmax-over-heads", |it| it.softmax = Softmax::OverHeads),
    ("softmax-over-queries", |it| it.softmax = Softmax::OverQueries),
    ("softmax-overflow", |it| it.exponential = attention::Exponential::Plain),
    ("weights-before-softmax", |it| it.returned = Returned::Scores),
    ("weights-before-softmax", |it| it.returned = Returned::MaskedScores),
    ("weights-transposed", |it| it.returned = Returned::Transposed),
    ("weights-without-mask", |it| it.returned = Returned::Unmasked),
    ("strided-attention-refused", |it| it.strided = Strided::Refused),
    ("misfit-sliced-away", |it| it.misfit = attention::Misfit::LeftOut),
];

const MULTI_HEAD: &[Change<multi_head::Rules>] = &[
    ("attention-across-batch", |it| it.along = Along::Examples),
    ("heads-interleaved", |it| {
        it.split = Arrange::Interleaved;
        it.merge = Arrange::Interleaved;
    }),
    ("heads-without-transpose", |it| it.split = Arrange::Untransposed),
    ("heads-merged-without-transpose", |it| it.merge = Arrange::Untransposed),
    ("key-value-ignored", |it| it.sources = Sources::QueryAlone),
    ("key-value-ignored", |it| it.sources = Sources::ValueFromKey),
    ("key-value-ignored", |it| it.sources = Sources::ValueFromQuery),
    ("key-value-ignored", |it| it.sources = Sources::KeyFromQuery),
    ("key-value-ignored", |it| it.sources = Sources::KeyFromValue),
    ("key-value-swapped", |it| it.sources = Sources::Swapped),
    ("layer-norm-after-attention", |it| it.ending = Ending::Normalized),
    ("residual-added", |it| it.ending = Ending::PlusQuery),
    ("mask-not-passed", |it| it.passes_mask = false),
    ("one-projection-for-all", |it| {
        it.projections = [Some("q_proj"), Some("q_proj"), Some("q_proj"), Some("out_proj")];
    }),
    ("key-value-projections-swapped", |it| it.projections.swap(1, 2)),
    ("query-key-projections-swapped", |it| it.projections.swap(0, 1)),
    ("value-not-projected", |it| it.projections[2] = None),
    ("missing-output-projection", |it| it.projections[3] = None),
    ("projections-without-bias", |it| it.biases = [false; 4]),
    ("projections-without-bias", |it| it.biases[3] = false),
    ("scaled-twice", |it| it.scales_queries = |k, _| 1.0 / k.sqrt()),
    ("weight-not-transposed", |it| it.untransposed_weights = [true; 4]),
    ("weights-averaged-over-heads", |it| it.returned = multi_head::Returned::Mean),
    ("uneven-heads-panic", |it| it.uneven = Response::Panicked),
];

const SINUSOIDAL: &[Change<position::Rules>] = &[
    ("wrong-base", |it| it.wave = |t, c, d| position::wave(t, c, d, 1_000.0)),
    ("wrong-base", |it| it.wave = |t, c, d| position::wave(t, c, d, 100.0)),
    ("wrong-base", |it| it.wave = |t, c, d| position::wave(t, c, d, 100_000.0)),
    ("sine-cosine-swapped", |it| it.wave = |t, c, d| position::wave(t, c ^ 1, d, 10_000.0)),
    ("integer-exponent", |it| it.wave = |t, c, _| position::alternate(c, t as f64)),
    ("encoding-by-batch", |it| it.row = Row::Example),
    ("positions-from-one", |it| it.row = Row::NextPosition),
    ("encoding-rows-reversed", |it| it.row = Row::Backwards),
    ("encoding-rows-begin-again", |it| it.row = Row::AgainAfter(1000)),
    ("encoding-rows-from-end", |it| it.row = Row::FromEnd),
    ("encoding-row-zero-only", |it| it.row = Row::First),
    ("encoding-multiplied", |it| it.combine = Combine::Multiply),
    ("encoding-replaces", |it| it.combine = Combine::Replace),
    ("encoding-padded-to-max-len", |it| it.combine = Combine::AddToPadded),
    ("input-scaled", |it| it.combine = Combine::AddToScaled),
    ("odd-width-accepted", |it| it.refuses_odd_width = false),
    ("too-long-goes-on", |it| it.too_long = TooLong::GoesOn),
    ("too-long-panics", |it| it.too_long = TooLong::Panics),
    ("too-long-wraps", |it| it.too_long = TooLong::Wraps),
    ("too-long-clamped", |it| it.too_long = TooLong::Clamped),
];

const LEARNED: &[Change<position::Rules>] = &[
    ("learned-by-batch", |it| it.row = Row::Example),
    ("learned-from-one", |it| it.row = Row::NextPosition),
    ("learned-row-zero-only", |it| it.row = Row::First),
    ("learned-rows-begin-again", |it| it.row = Row::AgainAfter(16)),
    ("learned-rows-from-end", |it| it.row = Row::FromEnd),
    ("learned-rows-reversed", |it| it.row = Row::Backwards),
    ("learned-multiplied", |it| it.combine = Combine::Multiply),
    ("learned-padded-to-max-len", |it| it.combine = Combine::AddToPadded),
    ("learned-replaces", |it| it.combine = Combine::Replace),
    ("learned-input-scaled", |it| it.combine = Combine::AddToScaled),
    ("learned-too-long-panics", |it| it.too_long = TooLong::Panics),
    ("learned-too-long-clamped", |it| it.too_long = TooLong::Clamped),
    ("learned-too-long-wraps", |it| it.too_long = TooLong::Wraps),
];

const POOLING: &[Change<pooling::Rules>] = &[
    ("mean-over-padding", |it| it.mean.padding = Padding::Included),
    ("mean-divided-by-length", |it| it.mean.padding = Padding::SetTo(0.0)),
    ("max-over-padding", |it| it.max.padding = Padding::Included),
    ("max-zero-for-padding", |it| it.max.padding = Padding::SetTo(0.0)),
    ("first-ignores-mask", |it| it.first.padding = Padding::Included),
    ("last-instead-of-first", |it| it.first.token = Token::Last),
    ("pooling-over-batch", |it| it.mean.over = Over::Examples),
    ("pooling-over-batch", |it| it.max.over = Over::Examples),
    ("empty-mask-nan", |it| it.mean.nothing = Nothing::AsComputed),
    ("empty-mask-infinite", |it| it.max.nothing = Nothing::Number(f64::NEG_INFINITY)),
    ("empty-mask-first-token", |it| it.first.nothing = Nothing::FirstPosition),
    ("strided-input-refused", |it| {
        for rule in [&mut it.mean, &mut it.max, &mut it.first] {
            rule.refuses_strided = true;
        }
    }),
];

const CLASSIFIER: &[Change<classifier::Rules>] = &[
    ("texts-without-positions", |it| it.positions = Positions::Missing),
    ("positions-after-attention", |it| it.positions = Positions::AfterAttention),
    ("padding-attended-to", |it| it.sees = Sees::All),
    ("padding-alone-attended-to", |it| it.sees = Sees::Padding),
    ("later-words-hidden", |it| it.sees = Sees::Earlier),
    ("texts-attend-to-texts", |it| it.across_texts = true),
    ("input-added-to-attention", |it| it.residual = true),
    ("norm-before-attention", |it| it.norm = Norm::Before),
    ("attention-not-normed", |it| it.norm = Norm::Missing),
    ("attention-norm-epsilon", |it| it.epsilon = 1e-3),
    ("attention-norm-epsilon", |it| it.epsilon = 1e-6),
    ("attention-norm-epsilon", |it| it.epsilon = 0.0),
    ("attention-always-normed", |it| it.norm = Norm::Always),
    ("pooling-whatever-asked", |it| it.pools = Pools::First),
    ("pooling-whatever-asked", |it| it.pools = Pools::Mean),
    ("pooling-whatever-asked", |it| it.pools = Pools::Max),
    ("padding-in-the-pooling", |it| it.pools = Pools::Everything),
    ("pooled-across-texts", |it| it.pools = Pools::OverTexts),
    ("empty-text-undefined", |it| it.pools = Pools::Unguarded),
    ("shares-instead-of-logits", |it| it.ends = Ends::Softmax),
    ("shares-instead-of-logits", |it| it.ends = Ends::LogSoftmax),
    ("tokens-times-root-of-width", |it| it.scale = f64::sqrt),
    ("unknown-words-panic", |it| it.unknown = Unknown::Panicked),
    ("unknown-words-let-pass", |it| it.unknown = Unknown::LastRow),
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
            "scaled-dot-product",
            SCALED_DOT_PRODUCT,
            &attention::RIGHT,
            attention::imitate,
        );
        assert_changes_are_imitations(
            it,
            "multi-head",
            MULTI_HEAD,
            &multi_head::RIGHT,
            multi_head::imitate,
        );
        assert_changes_are_imitations(
            it,
            "sinusoidal-position",
            SINUSOIDAL,
            &position::RIGHT,
            position::imitate,
        );
        assert_changes_are_imitations(
            it,
            "learned-position",
            LEARNED,
            &position::RIGHT,
            position::imitate,
        );
        assert_changes_are_imitations(
            it,
            "masked-pooling",
            POOLING,
            &pooling::RIGHT,
            pooling::imitate,
        );
        assert_changes_are_imitations(
            it,
            "classifier",
            CLASSIFIER,
            &classifier::RIGHT,
            classifier::imitate,
        );
    }
}
