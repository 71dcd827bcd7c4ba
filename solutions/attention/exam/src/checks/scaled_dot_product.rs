//! Hidden checks of scaled dot-product attention.

use attention_checks::attended::{attend, compare_weights};
use attention_checks::cases::{
    AttentionShape, MaskKind, attention_shapes, masked_shapes, unmasked_shapes,
};
use attention_checks::fixed::{
    self, SQUARE, large_shapes, with_full_mantissas, with_one_key_hidden, with_own_key_hidden,
};
use attention_checks::scaled_dot_product::output_responds;

use softmark_checks::check::if_passed;
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, Check, CheckError, Judged, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_exam::check::{
    LossyOperations, answers_again, is_right, matches_oracle, same_on_views,
};

use crate::checks::empty_row::empty_row;
use crate::checks::tolerances::of_attention as tolerance;
use crate::checks::{MASKED_QUERY, oracle_for, others_move_nothing, slopes};
use crate::oracle::{oracle, output_oracle};

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "scaled-dot-product/matches-reference",
        title: "output and weights are those of the formula",
        run: matches_reference,
    },
    Check {
        id: "scaled-dot-product/unequal-lengths",
        title: "queries and keys may differ in number",
        run: unequal_lengths,
    },
    Check {
        id: "scaled-dot-product/empty-row",
        title: "fully masked queries return zeros",
        run: empty_row,
    },
    Check {
        id: "scaled-dot-product/large-scores",
        title: "scores far from zero come out finite and right, with a mask and without",
        run: large_scores,
    },
    Check {
        id: "scaled-dot-product/strided-input",
        title: "inputs that are not contiguous in memory make no difference",
        run: strided_input,
    },
    Check {
        id: "scaled-dot-product/batch-independence",
        title: "heads and examples do not mix",
        run: batch_independence,
    },
    Check {
        id: "scaled-dot-product/gradients",
        title: "gradients reach query, key and value, and are right",
        run: gradients,
    },
    Check {
        id: "scaled-dot-product/refuses-misfits",
        title: "shapes that do not fit are an error",
        run: refuses_misfits,
    },
];

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/matches-reference", seed);
    let found = search(subject, run, 6, attention_shapes(), |subject, shape| {
        let shape = shape.square();
        let h = shape.h.max(2);
        for (mask, h) in
            [(MaskKind::None, shape.h), (MaskKind::Shared, shape.h), (MaskKind::PerHead, h)]
        {
            let shape = AttentionShape { mask, h, ..shape };
            let case = shape.scaled_dot_product(seed);
            matches_oracle(subject, &case, oracle, tolerance(&shape), FORMULA)?;
        }
        Ok(())
    })?;
    if_passed(found, || {
        for mask in [MaskKind::Shared, MaskKind::PerHead] {
            let shape = AttentionShape { mask, ..SQUARE };
            let case = with_full_mantissas(&shape.scaled_dot_product(fixed::SEED));
            for case in [with_own_key_hidden(&case), with_one_key_hidden(&case)] {
                matches_oracle(subject, &case, oracle, tolerance(&shape), FORMULA)?;
            }
        }
        for shape in large_shapes() {
            let masked = with_full_mantissas(&shape.scaled_dot_product(fixed::SEED));
            let masked = with_one_key_hidden(&masked);
            let open = AttentionShape { mask: MaskKind::None, ..shape };
            let open = with_full_mantissas(&open.scaled_dot_product(fixed::SEED));
            for case in [masked, open] {
                matches_oracle(subject, &case, oracle, tolerance(&shape), FORMULA)?;
            }
        }
        keeps_nothing(subject)
    })
}

/// Checks that attention answers other lengths, and another mask for the same lengths, as a new one does.
fn keeps_nothing(subject: &mut Subject<'_>) -> Judged {
    let longer = AttentionShape { tq: 5, tk: 5, ..SQUARE };
    let [first, second] = [SQUARE, longer].map(|shape| shape.scaled_dot_product(fixed::SEED));
    let shape = [longer.b, longer.h, longer.tq, longer.k];
    answers_again(subject, (&first, &second), ("output", &shape), tolerance(&longer))?;
    let [first, second] = [with_own_key_hidden(&first), with_one_key_hidden(&first)];
    let shape = [SQUARE.b, SQUARE.h, SQUARE.tq, SQUARE.k];
    answers_again(subject, (&first, &second), ("output", &shape), tolerance(&SQUARE))
}

const FORMULA: (&str, &str) = (
    "Output and weights should be softmax(query · keyᵀ / √K) · value and that softmax",
    "Go through the formula in the documentation of ScaledDotProductAttention term by term.",
);

/// Asks for the output alone: weights of a wrong shape fail `shapes`.
fn unequal_lengths(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/unequal-lengths", seed);
    let found = search(subject, run, 4, attention_shapes(), |subject, shape| {
        let tk = if shape.tk == shape.tq { shape.tq + 1 } else { shape.tk };
        let shape = AttentionShape { tk, ..*shape };
        of_unequal_lengths(subject, &shape, &shape.scaled_dot_product(seed))
    })?;
    if_passed(found, || {
        for mask in [MaskKind::Shared, MaskKind::PerHead] {
            let single = AttentionShape { tq: 1, tk: 5, mask, ..SQUARE };
            let case = with_one_key_hidden(&single.scaled_dot_product(fixed::SEED));
            matches_oracle(subject, &case, output_oracle, tolerance(&single), MASKED_QUERY)?;
        }
        let more_keys = AttentionShape { tq: 3, tk: 300, ..SQUARE };
        let more_queries = AttentionShape { tq: 70, tk: 3, ..SQUARE };
        [more_keys, more_queries].iter().try_for_each(|shape| {
            of_unequal_lengths(subject, shape, &shape.scaled_dot_product(fixed::SEED))
        })
    })
}

fn of_unequal_lengths(subject: &mut Subject<'_>, shape: &AttentionShape, case: &Case) -> Judged {
    let words = (
        "There are more or fewer queries than keys, and the output should be that of the formula for \
         each query",
        "If matches-reference fails too, begin there. If not, look at where the number of queries and the \
         number of keys are taken from.",
    );
    matches_oracle(subject, case, output_oracle, tolerance(shape), words)
}

/// Scores of up to ±40960 in a case with `K = 4`, in which no two keys come near to one another: each weight
/// is 1 for one key and 0 for all others.
///
/// The first channel decides: ±256 in a query, another multiple of 64 in each key, so that the scores of
/// two keys are at least 64 · 256 / 2 = 8192 apart there. The other three channels are numbers up to 32
/// and move a score by 1536 at most. So the gap is at least 5120, which no rounding of scores closes: not
/// that of queries and keys that are scaled by `K^(-1/4)` each, nor that of `exp(x - logsumexp(x))`.
pub(crate) fn large(case: &Case) -> Case {
    let (query, key) = (case.get("query"), case.get("key"));
    let keys = key.dim(2).max(1);
    let query = Array::from_fn(query.shape(), |at| match *at {
        // All scores of every second query are negative.
        [b, h, i, 0] => {
            if (b + h + i).is_multiple_of(2) {
                -256.0
            } else {
                256.0
            }
        }
        _ => 16.0 * query.at(at),
    });
    let key = Array::from_fn(key.shape(), |at| match *at {
        [b, h, j, 0] => 64.0 * (1 + (j + b + h) % keys) as f64,
        _ => 16.0 * key.at(at),
    });
    case.with("query", query).with("key", key)
}

/// The same case with scores of up to ±10¹³, beyond whatever number stands in for scores under a mask.
fn larger(case: &Case) -> Case {
    let grown = |name: &str| case.get(name).map(|x| 16_384.0 * x);
    case.with("query", grown("query")).with("key", grown("key"))
}

fn large_scores(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/large-scores", seed);
    search(subject, run, 8, unmasked_shapes(), |subject, shape| {
        let shape = AttentionShape { k: 4, tk: shape.tk.max(2), ..*shape }.square();
        for mask in [MaskKind::None, MaskKind::Shared] {
            large_scores_are_right(subject, &AttentionShape { mask, ..shape }, seed)?;
        }
        Ok(())
    })
}

fn large_scores_are_right(subject: &mut Subject<'_>, shape: &AttentionShape, seed: u64) -> Judged {
    let words = (
        "Queries and keys are large here, and the softmax should still be finite and right, with \
         nothing left for a key that is masked",
        "Look at the largest number that is handed to an exponential, and at the number that stands in \
         for the score of a masked key.",
    );
    let tolerance = tolerance(shape) + Tolerance::f32(shape.tk + 8, 2.0);
    // The same on every seed: whether ordinary scores come out right decides what is asked of large ones.
    let gate = AttentionShape { mask: shape.mask, k: 4, ..SQUARE };
    // Where there is a mask, it hides a key from every query.
    let masked = |case: Case| match shape.mask {
        MaskKind::None => case,
        MaskKind::Shared | MaskKind::PerHead => with_one_key_hidden(&case),
    };
    let gate = masked(gate.scaled_dot_product(fixed::SEED));
    let judged_by = oracle_for(subject, &gate)?;
    let is_right = is_right(subject, &gate, judged_by, tolerance)?;
    let ordinary = masked(shape.scaled_dot_product(seed));
    for case in [large(&ordinary), larger(&large(&ordinary))] {
        if is_right {
            matches_oracle(subject, &case, judged_by, tolerance, words)?;
            continue;
        }
        // What is wrong with ordinary scores, other checks say; here it is whether large ones are
        // the end of it.
        let (output, weights) = attend(subject, &case)?;
        // Whatever is finite is the same as itself.
        compare(&case, "output", (&output, &output), Tolerance::EXACT, words)?;
        compare_weights(&case, (weights.as_ref(), weights.as_ref()), Tolerance::EXACT, words)?;
    }
    let (before, _) = attend(subject, &ordinary)?;
    output_responds(subject, &ordinary, &before)
}

fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/strided-input", seed);
    search(subject, run, 5, attention_shapes(), |subject, shape| {
        // A mask for each head is a view that matters only where there are several of both.
        let (shape, per_head) = (shape.square(), MaskKind::PerHead);
        let t = shape.tq.max(2);
        let plain = AttentionShape { tq: t, tk: t, ..shape };
        let several = AttentionShape { h: shape.h.max(2), mask: per_head, ..plain };
        for shape in [plain, several] {
            let plain = shape.scaled_dot_product(seed);
            let view = AttentionShape { strided: true, ..shape }.scaled_dot_product(seed);
            let judged_by = oracle_for(subject, &plain)?;
            same_on_views(subject, (&plain, &view), judged_by, tolerance(&shape))?;
            let (before, _) = attend(subject, &plain)?;
            output_responds(subject, &plain, &before)?;
        }
        Ok(())
    })
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/batch-independence", seed);
    search(subject, run, 6, attention_shapes(), |subject, shape| {
        let shape = AttentionShape { b: shape.b.max(2), h: shape.h.max(2), ..*shape }.square();
        let case = shape.scaled_dot_product(seed);
        let stream = Stream::derive(seed, "disturbed", shape.data);
        let others = |at: &[usize]| !matches!(*at, [0, 0, ..]);
        let first = |array: &Array| {
            Array::from_fn(&[array.dim(2), array.dim(3)], |at| match *at {
                [i, c] => array.at(&[0, 0, i, c]),
                _ => f64::NAN,
            })
        };
        let words = (
            "Every head but the first of the first example was given other numbers, and the \
             result of that one moved",
            "Look at which axes are summed over, and at every reshape that joins two of them.",
        );
        let before = others_move_nothing(subject, (&case, stream), others, first, words)?;
        output_responds(subject, &case, &before)
    })
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/gradients", seed);
    search(subject, run, 4, attention_shapes(), |subject, shape| {
        // With a single key the weights are constant and no gradient is due below them.
        let shape = AttentionShape { tk: shape.tk.max(2), ..*shape }.square();
        let case = shape.scaled_dot_product(seed);
        // Forward and back again: each gradient is a sum over Tq or Tk of sums over K, and numbers
        // up to 2 meet weights up to 1, scores' slopes up to 2·2.
        let roundings = 4 * (shape.k + shape.tk + shape.tq + 8);
        let tolerances = (tolerance(&shape), Tolerance::f32(roundings, 8.0));
        let open = AttentionShape { mask: MaskKind::None, ..shape }.scaled_dot_product(seed);
        slopes(subject, (&case, &open), seed, tolerances, LossyOperations::Softmax)
    })
}

fn refuses_misfits(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("scaled-dot-product/refuses-misfits", seed);
    search(subject, run, 3, masked_shapes(), |subject, shape| {
        // Two channels, examples and queries at least: a single one fits any number of them for whoever
        // multiplies with broadcasting, as good code may.
        let shape = AttentionShape { mask: MaskKind::Shared, k: shape.k.max(2), ..*shape }.square();
        let shape = AttentionShape { b: shape.b.max(2), ..shape };
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
        refuses(subject, (&case, &misfit), ("The mask has a column without a key", look))?;
        let taller = AttentionShape { tq: tk + 1, ..shape }.scaled_dot_product(seed);
        let misfit = case.with("mask", taller.get("mask"));
        refuses(subject, (&case, &misfit), ("The mask has a row without a query", look))?;
        let more = AttentionShape { b: b + 1, ..shape }.scaled_dot_product(seed);
        let misfit = case.with("key", more.get("key")).with("value", more.get("value"));
        refuses(subject, (&case, &misfit), ("There are keys for an example without queries", look))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A softmax of the scores of a query, in single precision.
    type Softmax = fn(&[f32]) -> Vec<f32>;

    fn divided(scores: &[f32]) -> Vec<f32> {
        let most = scores.iter().fold(f32::MIN, |most, x| most.max(*x));
        let sum: f32 = scores.iter().map(|x| (x - most).exp()).sum();
        scores.iter().map(|x| (x - most).exp() / sum).collect()
    }

    fn in_logarithms(scores: &[f32]) -> Vec<f32> {
        let most = scores.iter().fold(f32::MIN, |most, x| most.max(*x));
        let sum: f32 = scores.iter().map(|x| (x - most).exp()).sum();
        scores.iter().map(|x| (x - (most + sum.ln())).exp()).collect()
    }

    /// Scales of queries and keys before they are multiplied, and of their products after.
    const SCALES: [[f32; 3]; 3] = [
        [1.0, 1.0, 0.5],
        [std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2, 1.0],
        [0.5, 1.0, 1.0],
    ];

    #[expect(clippy::cast_possible_truncation, reason = "single precision is the purpose")]
    fn scores(case: &Case, [b, h, i]: [usize; 3], [q, k, after]: [f32; 3]) -> Vec<f32> {
        let (query, key) = (case.get("query"), case.get("key"));
        let product = |j: usize, c: usize| {
            (query.at(&[b, h, i, c]) as f32 * q) * (key.at(&[b, h, j, c]) as f32 * k)
        };
        let sum = |j| (0..query.dim(3)).map(|c| product(j, c)).sum::<f32>() * after;
        (0..key.dim(2)).map(sum).collect()
    }

    /// Whichever way scores are scaled and a softmax is written, rounding decides nothing.
    #[test]
    fn large_scores_are_far_apart_on_every_seed() {
        for seed in 0..100 {
            let shape = AttentionShape { k: 4, tk: 5, mask: MaskKind::None, data: seed, ..SQUARE };
            let ordinary = shape.square().scaled_dot_product(seed);
            for case in [large(&ordinary), larger(&large(&ordinary))] {
                let want = oracle(&case)["weights"].clone();
                for (scales, softmax) in
                    SCALES.iter().flat_map(|it| [(it, divided as Softmax), (it, in_logarithms)])
                {
                    let weights = Array::from_fn(want.shape(), |at| match *at {
                        [b, h, i, j] => f64::from(softmax(&scores(&case, [b, h, i], *scales))[j]),
                        _ => f64::NAN,
                    });
                    assert_eq!(weights, want, "seed {seed}");
                }
            }
        }
    }
}
