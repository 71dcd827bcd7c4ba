//! Hidden checks of scaled dot-product attention.

use softmark_checks::attention::cases::{
    AttentionShape, MaskKind, attention_shapes, disturbed, masked_shapes, unmasked_shapes,
};
use softmark_checks::attention::scaled_dot_product::{output_responds, results};
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, CheckError, Outcome, Subject, search};
use softmark_kit::compare::Tolerance;
use softmark_kit::rng::Stream;

use crate::check::{is_right, matches_gradients, matches_oracle, same_on_views};
use crate::suite::attention::checks::cotangents;
use crate::suite::attention::oracle::oracle;

/// For inputs up to 2 and heads `k` wide.
///
/// A score is a sum of `k` products up to 4, divided by `√k`: at most `4·√k`, with an error of
/// `(k + 2)` roundings of that. A weight's relative error is twice its score's error, and `tk` more
/// roundings for the sum below the line. The output is a mean of values up to 2.
fn tolerance(shape: &AttentionShape) -> Tolerance {
    let score = 4.0 * (shape.k as f64).sqrt();
    let in_scores = 2.0 * (shape.k as f64 + 2.0) * score;
    Tolerance::f32(shape.tk + 10, 2.0) + Tolerance::f32(1, 2.0 * in_scores)
}

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/matches-reference", seed);
    search(subject, run, 6, attention_shapes(), |subject, shape| {
        let words = (
            "Output and weights should be softmax(query · keyᵀ / √K) · value and that softmax",
            "Go through the formula in the documentation of ScaledDotProductAttention term by term.",
        );
        let h = shape.h.max(2);
        for (mask, h) in
            [(MaskKind::None, shape.h), (MaskKind::Shared, shape.h), (MaskKind::PerHead, h)]
        {
            let shape = AttentionShape { mask, h, ..*shape };
            let case = shape.scaled_dot_product(seed);
            matches_oracle(subject, &case, oracle, tolerance(&shape), words)?;
        }
        Ok(())
    })
}

/// The case with one query's row of the mask set to zeros.
pub(crate) fn with_empty_row(case: &Case) -> Case {
    let mask = case.get("mask");
    let rows = mask.dim(2);
    case.with(
        "mask",
        Array::from_fn(mask.shape(), |at| match *at {
            [0, _, i, _] if i + 1 == rows => 0.0,
            _ => mask.at(at),
        }),
    )
}

pub(crate) fn empty_row(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/empty-row", seed);
    search(subject, run, 6, masked_shapes(), |subject, shape| {
        let sighted = shape.masked().scaled_dot_product(seed);
        let blind = with_empty_row(&sighted);
        let (output, weights) = results(&sighted, &subject.forward(&sighted)?)?;
        let (blind_output, blind_weights) = results(&blind, &subject.forward(&blind)?)?;
        let words = (
            "The last query of the first example may look at nothing, so its weights and its \
             output should be 0, and all others what they are when it may look at something",
            "Look at what the softmax makes of a row in which everything is hidden.",
        );
        let emptied = |array: &Array| {
            Array::from_fn(array.shape(), |at| match *at {
                [0, _, i, _] if i + 1 == shape.tq => 0.0,
                _ => array.at(at),
            })
        };
        let tolerance = tolerance(shape);
        let pair = (&blind_weights, &emptied(&weights));
        compare(&blind, "weights", pair, tolerance, words)?;
        compare(&blind, "output", (&blind_output, &emptied(&output)), tolerance, words)?;
        output_responds(subject, &sighted, &output)
    })
}

/// Scores of up to ±32768 that `f32` holds exactly: `K = 4`, and every entry a whole multiple of 8.
///
/// Two scores are equal or at least 32 apart, and `e⁻³²` is 10⁻¹⁴: each weight is a share of the
/// keys with the largest score, exactly.
pub(crate) fn large(case: &Case) -> Case {
    let grown = |name: &str| case.get(name).map(|x| 64.0 * x);
    case.with("query", grown("query")).with("key", grown("key"))
}

pub(crate) fn large_scores(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/large-scores", seed);
    search(subject, run, 8, unmasked_shapes(), |subject, shape| {
        let shape = AttentionShape { k: 4, ..shape.unmasked() };
        let ordinary = shape.scaled_dot_product(seed);
        let case = large(&ordinary);
        let words = (
            "Queries and keys are large here, scores up to ±32768, and the softmax should still \
             be finite and right",
            "Look at the largest number that is handed to an exponential.",
        );
        let tolerance = tolerance(&shape) + Tolerance::f32(shape.tk + 8, 2.0);
        if is_right(subject, &ordinary, oracle, tolerance)? {
            return matches_oracle(subject, &case, oracle, tolerance, words);
        }
        // What is wrong with ordinary scores, other checks say; here it is whether large ones are
        // the end of it.
        let (output, weights) = results(&case, &subject.forward(&case)?)?;
        for (name, array) in [("output", &output), ("weights", &weights)] {
            // Whatever is finite is the same as itself.
            compare(&case, name, (array, array), Tolerance::EXACT, words)?;
        }
        let (before, _) = results(&ordinary, &subject.forward(&ordinary)?)?;
        output_responds(subject, &ordinary, &before)
    })
}

pub(crate) fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/strided-input", seed);
    search(subject, run, 5, attention_shapes(), |subject, shape| {
        // A mask for each head is a view that matters only where there are several of both.
        let (tq, per_head) = (shape.tq.max(2), MaskKind::PerHead);
        let several = AttentionShape { tq, h: shape.h.max(2), mask: per_head, ..*shape };
        for shape in [AttentionShape { tq, ..*shape }, several] {
            let plain = shape.scaled_dot_product(seed);
            let view = AttentionShape { strided: true, ..shape }.scaled_dot_product(seed);
            same_on_views(subject, (&plain, &view), oracle, tolerance(&shape))?;
            let (before, _) = results(&plain, &subject.forward(&plain)?)?;
            output_responds(subject, &plain, &before)?;
        }
        Ok(())
    })
}

pub(crate) fn batch_independence(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/batch-independence", seed);
    search(subject, run, 6, attention_shapes(), |subject, shape| {
        let shape = AttentionShape { b: shape.b.max(2), h: shape.h.max(2), ..*shape };
        let case = shape.scaled_dot_product(seed);
        let mut stream = Stream::derive(seed, "disturbed", shape.data);
        let others = |at: &[usize]| !matches!(*at, [0, 0, ..]);
        let mut moved = case.clone();
        for name in ["query", "key", "value"] {
            moved = moved.with(name, disturbed(&case.get(name), 10.0, &mut stream, others));
        }
        let first = |array: &Array| {
            Array::from_fn(&[array.dim(2), array.dim(3)], |at| match *at {
                [i, c] => array.at(&[0, 0, i, c]),
                _ => f64::NAN,
            })
        };
        let (before, weights_before) = results(&case, &subject.forward(&case)?)?;
        let (after, weights_after) = results(&moved, &subject.forward(&moved)?)?;
        let words = (
            "Every head but the first of the first example was given other numbers, and the \
             result of that one moved",
            "Look at which axes are summed over, and at every reshape that joins two of them.",
        );
        let exact = Tolerance::EXACT;
        let weights = (&first(&weights_after), &first(&weights_before));
        compare(&moved, "weights", weights, exact, words)?;
        compare(&moved, "output", (&first(&after), &first(&before)), exact, words)?;
        output_responds(subject, &case, &before)
    })
}

pub(crate) fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/gradients", seed);
    search(subject, run, 4, attention_shapes(), |subject, shape| {
        // With a single key the weights are constant and no gradient is due below them.
        let shape = AttentionShape { tk: shape.tk.max(2), ..*shape };
        let case = shape.scaled_dot_product(seed);
        let cotangents = cotangents(&case, seed);
        // Forward and back again: each gradient is a sum over Tq or Tk of sums over K, and numbers
        // up to 2 meet weights up to 1, scores' slopes up to 2·2.
        let roundings = 4 * (shape.k + shape.tk + shape.tq + 8);
        let tolerances = (tolerance(&shape), Tolerance::f32(roundings, 8.0));
        let open = AttentionShape { mask: MaskKind::None, ..shape }.scaled_dot_product(seed);
        matches_gradients(subject, (&case, &open), oracle, &cotangents, tolerances)
    })
}

pub(crate) fn refuses_misfits(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/refuses-misfits", seed);
    search(subject, run, 3, masked_shapes(), |subject, shape| {
        // Two channels at least: a single one fits any number of them for whoever multiplies with
        // broadcasting, as good code may.
        let shape = AttentionShape { mask: MaskKind::Shared, k: shape.k.max(2), ..*shape };
        let case = shape.scaled_dot_product(seed);
        let AttentionShape { b, h, tk, k, .. } = shape;
        let longer = AttentionShape { tk: tk + 1, ..shape }.scaled_dot_product(seed);
        let wider = Array::full(&[b, h, tk, k + 1], 0.5);
        let look = "Return an error where shapes do not fit one another; candle does so by itself \
                    as long as nothing broadcasts or slices the misfit away.";
        let misfit = case.with("key", wider);
        refuses(subject, (&case, &misfit), ("The keys are wider than the queries", look))?;
        let misfit = case.with("value", longer.get("value"));
        refuses(subject, (&case, &misfit), ("There is a value without a key", look))?;
        let misfit = case.with("mask", longer.get("mask"));
        refuses(subject, (&case, &misfit), ("The mask has a column without a key", look))
    })
}
