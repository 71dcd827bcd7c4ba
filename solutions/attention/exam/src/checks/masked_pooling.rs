//! Hidden checks of masked pooling.

use attention_checks::cases::{PoolingShape, pooling_shapes};
use attention_checks::fixed::{self, with_full_mantissas};
use attention_checks::masked_pooling::{each_fitting_way, each_way, output_responds, pool};
use softmark_checks::check::if_passed;
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, Check, CheckError, Judged, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{LossyOperations, answers_again, matches_oracle, same_on_views};

use crate::checks::slopes;
use crate::oracle::oracle;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "masked-pooling/matches-reference",
        title: "mean, maximum and first token are those of the formula",
        run: matches_reference,
    },
    Check {
        id: "masked-pooling/empty-mask",
        title: "a sequence of padding alone is pooled to zeros",
        run: empty_mask,
    },
    Check {
        id: "masked-pooling/negative-channels",
        title: "padding does not win where every number is negative",
        run: negative_channels,
    },
    Check {
        id: "masked-pooling/strided-input",
        title: "inputs that are not contiguous in memory make no difference",
        run: strided_input,
    },
    Check {
        id: "masked-pooling/gradients",
        title: "gradients reach the tokens that were pooled",
        run: gradients,
    },
    Check {
        id: "masked-pooling/refuses-misfits",
        title: "a mask of another shape is an error",
        run: refuses_misfits,
    },
];

/// A mean is a sum of `t` numbers up to 8, divided; a maximum and a first token are exact.
fn tolerance(shape: &PoolingShape) -> Tolerance {
    Tolerance::f32(shape.t + 4, 8.0)
}

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("masked-pooling/matches-reference", seed);
    let found = search(subject, run, 6, pooling_shapes(), |subject, shape| {
        let whole = PoolingShape { masked: false, ..*shape };
        let padded = PoolingShape { masked: true, t: shape.t.max(2), ..*shape };
        each_way(whole).chain(each_way(padded)).try_for_each(|shape| {
            let case = shape.masked_pooling(seed);
            matches_oracle(subject, &case, oracle, tolerance(&shape), FORMULA)?;
            // Whatever is put in padding's place, it is larger than some numbers and smaller than others.
            let below_zero = negative(&case);
            matches_oracle(subject, &below_zero, oracle, tolerance(&shape), FORMULA)
        })
    })?;
    if_passed(found, || {
        let (long, many) = ((2, 300, 3), (17, 19, 33));
        for ((b, t, d), masked) in [(long, false), (long, true), (many, true)] {
            let shape = PoolingShape { kind: 0, b, t, d, masked, strided: false, data: 0 };
            each_way(shape).try_for_each(|shape| {
                let case = with_full_mantissas(&shape.masked_pooling(fixed::SEED));
                let case = with_most_real(&case);
                matches_oracle(subject, &case, oracle, tolerance(&shape), FORMULA)
            })?;
        }
        each_way(PoolingShape { kind: 0, b: 4, t: 4, d: 3, masked: true, strided: false, data: 0 })
            .try_for_each(|shape| {
                let case = with_later_ones_real(&shape.masked_pooling(fixed::SEED));
                matches_oracle(subject, &case, oracle, tolerance(&shape), FORMULA)?;
                let case = with_real_zeros(&case);
                matches_oracle(subject, &case, oracle, tolerance(&shape), FORMULA)?;
                // Numbers of 10¹², without padding; a mean of them has roundings as much larger.
                let open = PoolingShape { masked: false, ..shape }.masked_pooling(fixed::SEED);
                let far = open.with("x", open.get("x").map(|x| x * 2_f64.powi(40)));
                let allowed = Tolerance::f32(shape.t + 4, 8.0 * 2_f64.powi(40));
                matches_oracle(subject, &far, oracle, allowed, FORMULA)
            })?;
        // As many real tokens as make a count in a byte come to 0.
        let byte =
            PoolingShape { kind: 0, b: 2, t: 257, d: 3, masked: true, strided: false, data: 0 };
        each_way(byte).try_for_each(|shape| {
            let case = with_one_hidden(&shape.masked_pooling(fixed::SEED));
            matches_oracle(subject, &case, oracle, tolerance(&shape), FORMULA)
        })?;
        each_way(PoolingShape { t: 4, ..byte }).try_for_each(|it| keeps_nothing(subject, &it))
    })
}

/// Checks that a pooling answers longer sequences, and another mask for sequences as long, as a new one does.
fn keeps_nothing(subject: &mut Subject<'_>, shape: &PoolingShape) -> Judged {
    let longer = PoolingShape { t: shape.t + 1, ..*shape };
    let [first, second] = [*shape, longer].map(|shape| shape.masked_pooling(fixed::SEED));
    let pooled = [shape.b, shape.d];
    answers_again(subject, (&first, &second), ("output", &pooled), tolerance(&longer))?;
    let other = with_one_hidden(&first);
    answers_again(subject, (&first, &other), ("output", &pooled), tolerance(shape))
}

/// The case with a mask that hides all positions before the sequence's own number: read with its two axes swapped, it
/// is another one.
fn with_later_ones_real(case: &Case) -> Case {
    let mask = case.get("mask");
    let real = |at: &[usize]| f64::from(u8::from(at.first() <= at.last()));
    case.with("mask", Array::from_fn(mask.shape(), real))
}

/// The case with zeros in every channel of the third position: a token of zeros is a token.
fn with_real_zeros(case: &Case) -> Case {
    let x = case.get("x");
    let zeros = |at: &[usize]| if at.get(1) == Some(&2) { 0.0 } else { x.at(at) };
    case.with("x", Array::from_fn(x.shape(), zeros))
}

const FORMULA: (&str, &str) = (
    "The output should be the mean, the maximum or the first of the real tokens",
    "Go through the three lines of the formula in the documentation of MaskedPooling.",
);

/// The case with a mask, where it has one, that lets all positions through but one in ten, the first among
/// those: of 300 positions that is 270, more than a byte counts.
fn with_most_real(case: &Case) -> Case {
    let real = |at: &[usize]| match *at {
        [b, t] => f64::from(u8::from(!(b + t).is_multiple_of(10))),
        _ => f64::NAN,
    };
    case.find("mask")
        .map_or_else(|| case.clone(), |mask| case.with("mask", Array::from_fn(mask.shape(), real)))
}

/// The case with a mask that hides one position of each sequence, the first one's first and the second one's
/// second.
fn with_one_hidden(case: &Case) -> Case {
    let mask = case.get("mask");
    let real = |at: &[usize]| f64::from(u8::from(at.first() != at.last()));
    case.with("mask", Array::from_fn(mask.shape(), real))
}

/// A mask of another shape than the sequences', even one that could be broadcast to theirs.
fn refuses_misfits(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("masked-pooling/refuses-misfits", seed);
    search(subject, run, 3, pooling_shapes(), |subject, shape| {
        let (b, t) = (shape.b.max(2), shape.t.max(2));
        let shape = PoolingShape { b, t, masked: true, ..*shape };
        each_way(shape).try_for_each(|shape| {
            let case = shape.masked_pooling(seed);
            for mask in [[1, t], [b, 1], [b, t + 1], [b + 1, t]] {
                let mut misfit = case.with("mask", Array::full(&mask, 1.0));
                misfit.label = format!("{}, a mask of {mask:?}", case.label);
                let claim = format!(
                    "There are {b} sequences of {t} positions, and the mask is {mask:?}, so `pool` \
                     should return an error"
                );
                let look = "Look at what becomes of a mask that does not fit, for this way of pooling: \
                            broadcasting would pool one sequence by the mask of another.";
                refuses(subject, (&case, &misfit), (&claim, look))?;
            }
            Ok(())
        })
    })
}

/// The case with a first sequence that is all padding.
pub(crate) fn with_empty_sequence(case: &Case) -> Case {
    with_empty_sequence_at(case, 0)
}

fn with_empty_sequence_at(case: &Case, place: usize) -> Case {
    let mask = case.get("mask");
    let empty = |at: &[usize]| if at.first() == Some(&place) { 0.0 } else { mask.at(at) };
    case.with("mask", Array::from_fn(mask.shape(), empty))
}

fn empty_mask(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("masked-pooling/empty-mask", seed), 4, pooling_shapes(), |subject, shape| {
        let shape = PoolingShape { masked: true, ..*shape }.oblong();
        each_fitting_way(subject, shape)?.into_iter().try_for_each(|shape| {
            emptied_to_zeros(subject, (&shape, seed), (0, "first"))?;
            emptied_to_zeros(subject, (&shape, seed), (shape.b - 1, "last"))
        })
    })
}

fn emptied_to_zeros(
    subject: &mut Subject<'_>,
    (shape, seed): (&PoolingShape, u64),
    (place, name): (usize, &str),
) -> Judged {
    let full = shape.masked_pooling(seed);
    let empty = with_empty_sequence_at(&full, place);
    let (before, after) = (pool(subject, &full)?, pool(subject, &empty)?);
    let claim = format!(
        "The {name} sequence is padding throughout, so it should be pooled to zeros, and the others \
         to what they are pooled to when it is not"
    );
    let look = format!(
        "Look at what each way of pooling comes to when there is nothing to pool, and, if another sequence than \
         the {name} is wrong, at which axis is pooled over."
    );
    let emptied = Array::from_fn(before.shape(), |at| match *at {
        [text, _] if text == place => 0.0,
        _ => before.at(at),
    });
    compare(&empty, "output", (&after, &emptied), tolerance(shape), (&claim, &look))?;
    output_responds(subject, &full, &before)
}

/// The case with every number below zero.
pub(crate) fn negative(case: &Case) -> Case {
    case.with("x", case.get("x").map(|x| x - 4.0))
}

fn negative_channels(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("masked-pooling/negative-channels", seed);
    search(subject, run, 6, pooling_shapes(), |subject, shape| {
        // Only in a maximum does anything win.
        let shape = PoolingShape { kind: 1, masked: true, t: shape.t.max(2), ..*shape }.oblong();
        let words = (
            "Every number is negative here, and padding should still count for nothing",
            "Look at the number that stands in for padding, and whether it can win.",
        );
        // A single text first: what goes wrong only beside other texts may have another cause.
        below_zero(subject, &PoolingShape { b: 1, ..shape }, seed, words)?;
        let words = (
            "Every number is negative here, and the maximum of a text should be that of its own real tokens",
            "Look at the number that stands in for padding and whether it can win, and at whether the maximum \
             of a text has anything to do with the other texts.",
        );
        below_zero(subject, &shape, seed, words)
    })
}

/// Holds the maxima of negative numbers, small and huge, against the oracle's.
fn below_zero(
    subject: &mut Subject<'_>,
    shape: &PoolingShape,
    seed: u64,
    words: (&str, &str),
) -> Judged {
    let case = negative(&shape.masked_pooling(seed));
    matches_oracle(subject, &case, oracle, tolerance(shape), words)?;
    // Powers of two, so that every number is one that f32 holds.
    for scale in [40, 125] {
        let far = case.with("x", case.get("x").map(|x| x * 2_f64.powi(scale)));
        matches_oracle(subject, &far, oracle, tolerance(shape), words)?;
    }
    Ok(())
}

fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("masked-pooling/strided-input", seed),
        5,
        pooling_shapes(),
        |subject, shape| {
            let shape = PoolingShape { t: shape.t.max(2), d: shape.d.max(2), ..*shape }.oblong();
            each_fitting_way(subject, shape)?.into_iter().try_for_each(|shape| {
                let plain = shape.masked_pooling(seed);
                let view = PoolingShape { strided: true, ..shape }.masked_pooling(seed);
                same_on_views(subject, (&plain, &view), oracle, tolerance(&shape))?;
                let before = pool(subject, &plain)?;
                output_responds(subject, &plain, &before)
            })
        },
    )
}

/// The case with no number twice, so that a maximum has one place and a slope.
///
/// Inputs are eighths; adding a different number of 1/1024ths to each keeps their order and their
/// values exact in `f32`, and keeps any two further apart than the step of a difference.
pub(crate) fn distinct(case: &Case) -> Case {
    let mut n = 0.0;
    let apart = case.get("x").map(|x| {
        n += 1.0;
        x + n / 1024.0
    });
    case.with("x", apart)
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("masked-pooling/gradients", seed);
    let found = search(subject, run, 4, pooling_shapes(), |subject, shape| {
        each_fitting_way(subject, shape.oblong())?.into_iter().try_for_each(|shape| {
            let case = distinct(&shape.masked_pooling(seed));
            slopes_of(subject, (&case, &shape), seed)
        })
    })?;
    // A sequence of padding has no slopes, and must not make NaN of those of the others.
    let empty = PoolingShape { kind: 0, b: 2, t: 3, d: 2, masked: true, strided: false, data: 0 };
    if_passed(found, || {
        each_fitting_way(subject, empty)?.into_iter().try_for_each(|shape| {
            let case = with_empty_sequence(&distinct(&shape.masked_pooling(fixed::SEED)));
            slopes_of(subject, (&case, &shape), fixed::SEED)
        })
    })
}

fn slopes_of(
    subject: &mut Subject<'_>,
    (case, shape): (&Case, &PoolingShape),
    seed: u64,
) -> Judged {
    let open = distinct(&PoolingShape { masked: false, ..*shape }.masked_pooling(seed));
    // Each gradient is a cotangent up to 1, divided once.
    let tolerances = (tolerance(shape), Tolerance::f32(8, 1.0));
    slopes(subject, (case, &open), seed, tolerances, LossyOperations::None)
}
