//! Task 5, masked pooling: properties of every correct implementation.

use softmark_checks::array::{Array, disturbed, raised_unequally};
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, outcome};
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, responds};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::cases::{POOLINGS, PoolingShape, pooling_shapes};
use crate::fixed;
use crate::signatures;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check { id: "masked-pooling/shapes", title: "the output is [B, D], in f32", run: shapes },
    Check {
        id: "masked-pooling/worked-example",
        title: "worked example, in all three ways",
        run: worked_example,
    },
    Check {
        id: "masked-pooling/ignores-padding",
        title: "what stands at masked positions has no influence at all",
        run: ignores_padding,
    },
    Check {
        id: "masked-pooling/batch-independence",
        title: "each sequence is pooled by itself",
        run: batch_independence,
    },
];

/// Each of them asked in all three ways.
const CASES: usize = 4;

/// Runs the part forward and returns the output, `[B, D]`.
///
/// # Errors
///
/// Fails with the verdict if the output has another shape or the part gives no answer.
pub fn pool(subject: &mut Subject<'_>, case: &Case) -> Result<Array, Stop> {
    let x = case.get("x");
    subject.forward(case)?.get(case, "output", &[x.dim(0), x.dim(2)])
}

/// Checks that the output depends on the input: every kind of pooling must change if every number is changed.
/// If it does not, the question is put once more, the same on every seed: without a mask, which may be misread so
/// that it hides everything, and with several channels, whose changes no norm evens out.
///
/// # Errors
///
/// Fails with the verdict if the output does not change.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let raise = |case: &Case| case.with("x", raised_unequally(&case.get("x")));
    if before.differs(&pool(subject, &raise(case))?) {
        return Ok(());
    }
    let kind = case.get_size("kind");
    let open = PoolingShape { kind, masked: false, ..SIZES }.masked_pooling(fixed::SEED);
    let raised = raise(&open);
    let (before, after) = (pool(subject, &open)?, pool(subject, &raised)?);
    responds(&raised, "output", (&before, &after), "Every number of every token was changed")
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("masked-pooling/shapes", seed), CASES, pooling_shapes(), |subject, shape| {
        each_way(*shape).try_for_each(|shape| {
            let case = shape.masked_pooling(seed);
            let output = pool(subject, &case)?;
            output_responds(subject, &case, &output)
        })
    })
}

/// Returns the same sizes with each kind of pooling.
pub fn each_way(shape: PoolingShape) -> impl Iterator<Item = PoolingShape> {
    (0..POOLINGS.len()).map(move |kind| PoolingShape { kind, ..shape })
}

/// Returns the same sizes with each kind of pooling whose result has the required shape.
///
/// A kind with a result of another shape fails `shapes`, `worked-example` and `matches-reference`; the other
/// kinds are still judged. The shape is determined with a case that is the same on every seed.
///
/// # Errors
///
/// Fails with the verdict if no kind has a result of the required shape.
pub fn each_fitting_way(
    subject: &mut Subject<'_>,
    shape: PoolingShape,
) -> Result<Vec<PoolingShape>, Stop> {
    let mut fitting = Vec::new();
    let mut verdict = None;
    for way in each_way(shape) {
        let case = PoolingShape { kind: way.kind, ..SIZES }.masked_pooling(fixed::SEED);
        match pool(subject, &case) {
            // Each check detects other failures with its own cases.
            Err(Stop::Outcome(outcome)) if matches!(*outcome, Outcome::Wrong { .. }) => {
                verdict = Some(Stop::Outcome(outcome));
            }
            Err(Stop::Outcome(_)) | Ok(_) => fitting.push(way),
            Err(stop) => return Err(stop),
        }
    }
    match verdict {
        Some(stop) if fitting.is_empty() => Err(stop),
        Some(_) | None => Ok(fitting),
    }
}

/// Sizes that are all distinct.
const SIZES: PoolingShape =
    PoolingShape { kind: 0, b: 2, t: 3, d: 5, masked: true, strided: false, data: 0 };

/// Three tokens, the first of them padding.
fn worked_example(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    let x = vec![9.0, 9.0, 1.0, -4.0, 3.0, -2.0];
    let wanted = [[2.0, -3.0], [3.0, -2.0], [1.0, -4.0]];
    let mut judge = || -> Judged {
        for (kind, want) in wanted.iter().enumerate() {
            let name = POOLINGS.get(kind).copied().unwrap_or("?");
            let case =
                Case::new(&signatures::MASKED_POOLING, format!("{name}, B=1 T=3 D=2, padded"))
                    .size("kind", kind)
                    .input("x", Array::new(&[1, 3, 2], x.clone()))
                    .mask(Some(Array::new(&[1, 3], vec![0.0, 1.0, 1.0])));
            let output = pool(subject, &case)?;
            let want = Array::new(&[1, 2], want.to_vec());
            let claim = format!(
                "Tokens [1, -4] and [3, -2] are real, [9, 9] is padding; their {name} was asked for"
            );
            let look = "Work it through on paper, one channel at a time.";
            // Whole numbers, halved at most once: exact in f32.
            compare(&case, "output", (&output, &want), Tolerance::EXACT, (&claim, look))?;
        }
        Ok(())
    };
    outcome(judge())
}

fn ignores_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("masked-pooling/ignores-padding", seed);
    search(subject, run, CASES, pooling_shapes(), |subject, shape| {
        let shape = PoolingShape { masked: true, t: shape.t.max(2), ..*shape }.oblong();
        each_fitting_way(subject, shape)?.into_iter().try_for_each(|shape| {
            padding_moves_nothing(subject, &padded_in_front(&shape.masked_pooling(seed)), seed)
        })
    })
}

/// Returns the case with padding before the first token of the first example, where it is easily missed.
fn padded_in_front(case: &Case) -> Case {
    let mask = case.get("mask");
    case.with(
        "mask",
        Array::from_fn(mask.shape(), |at| match *at {
            [0, 0] => 0.0,
            [0, 1] => 1.0,
            _ => mask.at(at),
        }),
    )
}

/// Factors of the random numbers, up to 4.125, that replace padding: ordinary ones, and ones that exceed
/// any number put in padding's place or subtracted from it, up to the largest that `f32` can hold.
const HIDDEN_SIZES: [f64; 7] = [1.0, 20_000.0, -20_000.0, 1e12, -1e12, 8e37, -8e37];

fn padding_moves_nothing(subject: &mut Subject<'_>, case: &Case, seed: u64) -> Judged {
    let mask = case.get("mask");
    let mut stream = Stream::derive(seed, "disturbed", 0);
    let hidden = |at: &[usize]| matches!(*at, [b, t, _] if mask.at(&[b, t]) == 0.0);
    let before = pool(subject, case)?;
    for big in HIDDEN_SIZES {
        let moved = case.with("x", disturbed(&case.get("x"), big, &mut stream, hidden));
        let after = pool(subject, &moved)?;
        let words = (
            "Tokens that the mask hides (0 = padding) were replaced by others, and the result moved",
            "Look at where the mask enters, for this way of pooling.",
        );
        compare(&moved, "output", (&after, &before), Tolerance::EXACT, words)?;
    }
    output_responds(subject, case, &before)
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("masked-pooling/batch-independence", seed);
    search(subject, run, CASES, pooling_shapes(), |subject, shape| {
        let shape = PoolingShape { b: shape.b.max(2), ..*shape }.oblong();
        let each = each_fitting_way(subject, shape)?.into_iter();
        each.into_iter().try_for_each(|shape| others_move_nothing(subject, shape, seed))
    })
}

fn others_move_nothing(subject: &mut Subject<'_>, shape: PoolingShape, seed: u64) -> Judged {
    let case = shape.masked_pooling(seed);
    let mut stream = Stream::derive(seed, "disturbed", shape.data);
    let others = |at: &[usize]| at.first() != Some(&0);
    let moved = case.with("x", disturbed(&case.get("x"), 10.0, &mut stream, others));
    let first = |output: &Array| {
        Array::from_fn(&[shape.d], |at| match *at {
            [c] => output.at(&[0, c]),
            _ => f64::NAN,
        })
    };
    let whole = pool(subject, &case)?;
    let before = first(&whole);
    let after = first(&pool(subject, &moved)?);
    let claim = "Only sequences after the first were replaced, and what the first is pooled to \
                 moved";
    let look = "Look at which axis is pooled over.";
    compare(&moved, "output", (&after, &before), Tolerance::EXACT, (claim, look))?;
    output_responds(subject, &case, &whole)
}
