//! Task 2, multi-head attention: properties of every correct implementation.

use proptest::prelude::*;
use softmark_checks::array::{Array, disturbed};
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, if_passed, wrong};
use softmark_checks::component::asks_for_all;
use softmark_checks::computes::{computes, other_parameters};
use softmark_checks::missing::refused_without;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, responds};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::attended::{attend, attend_with_weights, compare_weights, keys};
use crate::cases::{AttentionShape, MULTI_HEAD_PARAMETERS, MaskKind, attention_shapes};
use crate::fixed;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "multi-head/parameters",
        title: "exactly the eight documented parameters are asked for",
        run: parameters,
    },
    Check {
        id: "multi-head/shapes",
        title: "output is [B, Tq, D] and weights are [B, H, Tq, Tk], both f32",
        run: shapes,
    },
    Check {
        id: "multi-head/single-position",
        title: "with one position to look at, values pass through v_proj and out_proj alone",
        run: single_position,
    },
    Check {
        id: "multi-head/heads-are-separate",
        title: "what feeds one head's queries moves that head's weights and no other's",
        run: heads_are_separate,
    },
    Check {
        id: "multi-head/query-order",
        title: "reversing the queries reverses the output",
        run: query_order,
    },
    Check {
        id: "multi-head/mask-hides",
        title: "what a mask hides has no influence at all",
        run: mask_hides,
    },
];

const CASES: usize = 8;

/// Returns the case with biases of 0: other checks test that they are added.
#[must_use]
pub fn without_biases(case: &Case) -> Case {
    MULTI_HEAD_PARAMETERS.iter().fold(case.clone(), |case, (_, bias)| {
        case.with_parameter(bias, &case.get_parameter(bias).map(|_| 0.0))
    })
}

/// Checks that the output depends on the parameters: on the last bias, which is added to every row, or
/// otherwise on all parameters together. The output of code that returns the values depends on those alone.
///
/// This check only establishes that something is computed at all, not that the result is right: other checks
/// report a missing bias.
///
/// # Errors
///
/// Fails with the verdict if the output does not change.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let bias = case.get_parameter("out_proj.bias").map(|x| x + 1.0);
    let raised = case.with_parameter("out_proj.bias", &bias);
    if before.differs(&attend(subject, &raised)?.0) {
        return Ok(());
    }
    if case.get_size("d_model") == 1 {
        // With a single weight that is 0, or a norm of a single number, nothing can change.
        return Ok(());
    }
    let moved = other_parameters(case, |_| true);
    let (after, _) = attend(subject, &moved)?;
    responds(&moved, "output", (before, &after), "Every parameter was changed")
}

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("multi-head/parameters", seed), 2, attention_shapes(), |subject, shape| {
        let case = shape.multi_head(seed, true);
        let about = "Each of the four projections has a weight and a bias. Look at the table of parameters in the \
                     documentation of MultiHeadAttention.";
        asks_for_all(subject, &case, about)?;
        let names = MULTI_HEAD_PARAMETERS.iter().flat_map(|(weight, bias)| [*weight, *bias]);
        refused_without(subject, &case, &names.collect::<Vec<_>>())?;
        computes(subject, &case)
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/shapes", seed);
    let shapes = (attention_shapes(), any::<bool>());
    let found = search(subject, run, CASES, shapes, |subject, (shape, self_attention)| {
        has_its_shapes(subject, &shape.multi_head(seed, *self_attention))
    })?;
    if_passed(found, || {
        fixed::single_shapes()
            .iter()
            .try_for_each(|it| has_its_shapes(subject, &it.multi_head(fixed::SEED, false)))
    })
}

fn has_its_shapes(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let (output, _) = attend_with_weights(subject, case)?;
    output_responds(subject, case, &output)
}

/// `x · Wᵀ + b` for each row of `x`, `[B, T, D]`.
fn project(x: &Array, weight: &Array, bias: &Array) -> Array {
    let d = x.dim(2);
    Array::from_fn(x.shape(), |at| match *at {
        [b, t, o] => {
            let sum: f64 = (0..d).map(|i| x.at(&[b, t, i]) * weight.at(&[o, i])).sum();
            sum + bias.at(&[o])
        }
        _ => f64::NAN,
    })
}

fn single_position(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/single-position", seed);
    search(subject, run, CASES, attention_shapes(), |subject, shape| {
        let shape = AttentionShape { tq: 1, tk: 1, mask: MaskKind::None, ..*shape };
        let case = without_biases(&shape.multi_head(seed, false));
        let (output, _) = attend(subject, &case)?;
        let parameter = |name| case.get_parameter(name);
        let value =
            project(&case.get("value"), &parameter("v_proj.weight"), &parameter("v_proj.bias"));
        let want = project(&value, &parameter("out_proj.weight"), &parameter("out_proj.bias"));
        let d = shape.h * shape.k;
        // Two matrix products of D terms; inputs up to 2, weights up to 1/2, biases up to 1.
        let values_up_to = d as f64 + 1.0;
        let tolerance = Tolerance::f32(4 * d + 8, values_up_to * d as f64 / 2.0 + 1.0);
        let claim = "With a single key there is nothing to choose: its value should go through \
                     v_proj and out_proj and nothing else";
        let look = "Look at which projections the value passes on its way to the output.";
        compare(&case, "output", (&output, &want), tolerance, (claim, look))
    })
}

fn heads_are_separate(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/heads-are-separate", seed);
    let shapes = (attention_shapes(), any::<prop::sample::Index>());
    search(subject, run, CASES, shapes, |subject, (shape, which)| {
        let shape = AttentionShape {
            h: shape.h.max(2),
            tq: shape.tk.max(2),
            mask: MaskKind::None,
            ..*shape
        };
        let case = shape.multi_head(seed, true);
        let (head, k) = (which.index(shape.h), shape.k);
        let moved = with_moved_head(&case, head, k);
        let (_, before) = attend_with_weights(subject, &case)?;
        let (_, after) = attend_with_weights(subject, &moved)?;
        // The changed head may attend elsewhere; the other heads must not change.
        let others = |weights: &Array| {
            Array::from_fn(weights.shape(), |at| match *at {
                [_, h, ..] if h == head => 0.0,
                _ => weights.at(at),
            })
        };
        let claim = format!(
            "Channels {}..{} of q_proj.bias belong to head {head} and were changed; the weights of \
             other heads should be what they were",
            head * k,
            (head + 1) * k
        );
        let look = "Look at how channels are dealt out to heads: which axis is split, and in \
                    which order the parts of its shape stand.";
        let words = (claim.as_str(), look);
        compare(&moved, "weights", (&others(&after), &others(&before)), Tolerance::EXACT, words)?;
        // Three cases, because another mistake may leave the output nearly unchanged in one of them.
        let mut stood_still = false;
        for by in 0..3 {
            let data = shape.data.wrapping_add(by);
            let case = AttentionShape { data, ..shape }.multi_head(seed, true);
            let moved = with_moved_head(&case, head, k);
            let before = attend_with_weights(subject, &case)?.1;
            let after = attend_with_weights(subject, &moved)?.1;
            if after.largest_difference(&before) > ROUNDED {
                return Ok(());
            }
            // If all keys of this head were equal, the weights would not depend on the query.
            let own = |case: &Case| weights_of(case, head, k);
            stood_still |= own(&moved).largest_difference(&own(&case)) > LOOKS_ELSEWHERE;
        }
        if !stood_still {
            return Ok(());
        }
        let message = format!(
            "Channels {}..{} of q_proj.bias were changed, so that head {head} should look elsewhere, \
             and no weight moved by more than rounding does. Look at which of the three projections \
             gives the queries, and what becomes of its bias.",
            head * k,
            (head + 1) * k
        );
        Err(wrong(&moved, message))
    })
}

/// Returns the case with another query bias in the channels of that head.
fn with_moved_head(case: &Case, head: usize, k: usize) -> Case {
    let bias = case.get_parameter("q_proj.bias");
    let moved = Array::from_fn(bias.shape(), |at| match *at {
        [c] if c / k == head => bias.at(at) + 1.5,
        _ => bias.at(at),
    });
    case.with_parameter("q_proj.bias", &moved)
}

/// A change of weights that rounding cannot cause.
const LOOKS_ELSEWHERE: f64 = 1e-2;

/// Far more than rounding leaves of weights up to 1, and far less than [`LOOKS_ELSEWHERE`].
const ROUNDED: f64 = 1e-4;

/// Returns the weights of one head, `[B, Tq, Tk]`, without a mask.
fn weights_of(case: &Case, head: usize, k: usize) -> Array {
    let projected = |input: &Array, weight, bias| {
        project(input, &case.get_parameter(weight), &case.get_parameter(bias))
    };
    let queries = projected(&case.get("query"), "q_proj.weight", "q_proj.bias");
    let keys = projected(&keys(case), "k_proj.weight", "k_proj.bias");
    let score = |b: usize, i: usize, j: usize| -> f64 {
        let channels = head * k..(head + 1) * k;
        let dot: f64 = channels.map(|c| queries.at(&[b, i, c]) * keys.at(&[b, j, c])).sum();
        dot / (k as f64).sqrt()
    };
    let tk = keys.dim(1);
    Array::from_fn(&[queries.dim(0), queries.dim(1), tk], |at| match *at {
        [b, i, j] => {
            let all: f64 = (0..tk).map(|other| (score(b, i, other) - score(b, i, j)).exp()).sum();
            1.0 / all
        }
        _ => f64::NAN,
    })
}

fn query_order(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("multi-head/query-order", seed),
        CASES,
        attention_shapes(),
        |subject, shape| {
            let shape = AttentionShape { tk: shape.tk.max(2), ..*shape }.square().unmasked();
            let case = shape.multi_head(seed, false);
            let turn = |array: &Array| {
                Array::from_fn(array.shape(), |at| match *at {
                    [b, t, c] => array.at(&[b, shape.tq - 1 - t, c]),
                    _ => f64::NAN,
                })
            };
            let (before, _) = attend(subject, &case)?;
            let turned = case.with("query", turn(&case.get("query")));
            let (after, _) = attend(subject, &turned)?;
            // Each row is computed from the same numbers; only a library that blocks its products by
            // row may add them up in another order.
            let d = shape.h * shape.k;
            let magnitude = (d as f64 + 1.0) * d as f64 / 2.0 + 1.0;
            let tolerance = Tolerance::f32(8 * d + 16, magnitude);
            let claim = "With the queries in the opposite order, the rows of the output should come in \
                     the opposite order and otherwise be the same";
            let look = "Look at how heads are split off and merged again: does each position keep its \
                    own numbers?";
            compare(&turned, "output", (&after, &turn(&before)), tolerance, (claim, look))?;
            output_responds(subject, &case, &before)
        },
    )
}

fn mask_hides(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("multi-head/mask-hides", seed), CASES, attention_shapes(), |subject, shape| {
        let shape = AttentionShape { mask: MaskKind::Shared, tk: shape.tk.max(2), ..*shape };
        let shape = shape.square();
        let case = shape.multi_head(seed, false);
        let mask = case.get("mask");
        // Hidden from one query is hidden from all here, but for the last key, so that what is
        // disturbed can reach no one.
        let column = |b: usize, j: usize| {
            j + 1 < shape.tk && (0..shape.tq).any(|i| mask.at(&[b, i, j]) == 0.0)
        };
        let whole = Array::from_fn(mask.shape(), |at| match *at {
            [b, _, j] => f64::from(u8::from(!column(b, j))),
            _ => f64::NAN,
        });
        let hidden = |at: &[usize]| matches!(*at, [b, j, _] if column(b, j));
        let case = case.with("mask", whole);
        let before = attend(subject, &case)?;
        // Ordinary numbers, and such that nothing which only lowers their scores holds them back. What is
        // projected of them stays finite, and so does what is multiplied by a weight of 0.
        for big in [100.0, 1e30] {
            let mut stream = Stream::derive(seed, "disturbed", shape.data);
            let key = disturbed(&case.get("key"), big, &mut stream, hidden);
            let value = disturbed(&case.get("value"), big, &mut stream, hidden);
            let moved = case.with("key", key).with("value", value);
            let after = attend(subject, &moved)?;
            let words = (
                "Positions that the mask hides (0 = may not look) were replaced by others, and the \
                 result moved",
                "Look at whether the mask reaches the attention inside, and with which axes.",
            );
            let weights = (after.1.as_ref(), before.1.as_ref());
            compare_weights(&moved, weights, Tolerance::EXACT, words)?;
            compare(&moved, "output", (&after.0, &before.0), Tolerance::EXACT, words)?;
        }
        output_responds(subject, &case, &before.0)
    })
}
