//! Hidden checks of the statistics.

use softmark_checks::debugging::cases::{WeightsShape, weights_shapes};
use softmark_checks::debugging::statistics::{NUMBERS, read, tolerance};
use softmark_checks::subject::{compare, refuses, responds};
use softmark_checks::{Array, CheckError, Outcome, Subject, search};
use softmark_kit::compare::Tolerance;

use crate::check::{matches_oracle, same_on_views};
use crate::suite::debugging::oracle::oracle;

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("statistics/matches-reference", seed);
    search(subject, run, 8, weights_shapes(), |subject, shape| {
        let case = shape.case(seed);
        let words = (
            "Entropy, distance and share on padding should be those of the formulas",
            "Go through the three sums: which keys, which queries, which mean?",
        );
        matches_oracle(subject, &case, oracle, tolerance(&case), words)
    })
}

/// Two texts of different lengths at least, so that a mean of means is another number.
fn uneven(shape: &WeightsShape) -> WeightsShape {
    let mut texts = shape.texts.clone();
    let first = texts.first().copied().unwrap_or(1);
    texts.insert(0, first + 2);
    WeightsShape { t: shape.t.max(first + 2) + 1, texts, ..shape.clone() }
}

pub(crate) fn every_query_counts(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("statistics/every-query-counts", seed);
    search(subject, run, 6, weights_shapes(), |subject, shape| {
        let case = uneven(shape).case(seed);
        let words = (
            "The texts are of different lengths, and every real query of the batch counts once",
            "Look at over what there is a mean, and at what it is divided by.",
        );
        matches_oracle(subject, &case, oracle, tolerance(&case), words)
    })
}

/// What stands in the rows of padded queries must not matter: neither numbers nor `NaN`.
pub(crate) fn ignores_padded_queries(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("statistics/ignores-padded-queries", seed);
    search(subject, run, 5, weights_shapes(), |subject, shape| {
        let case = uneven(shape).case(seed);
        let (weights, mask) = (case.get("weights"), case.get("mask"));
        let before = read(subject, &case)?;
        let words = (
            "Only the rows of padded queries were replaced, and a number moved",
            "Look at which queries there is a mean over, and at what NaN times zero is.",
        );
        for value in [0.5, f64::NAN] {
            let replaced = Array::from_fn(weights.shape(), |at| match *at {
                [b, _, query, _] if mask.at(&[b, query]) == 0.0 => value,
                _ => weights.at(at),
            });
            let moved = case.with("weights", replaced);
            let after = read(subject, &moved)?;
            for ((name, after), before) in NUMBERS.into_iter().zip(&after).zip(&before) {
                compare(&moved, name, (after, before), Tolerance::EXACT, words)?;
            }
        }
        // Other rows have to matter, or else constants would do.
        let other = shape_with_other_data(shape, shape.data ^ 1).case(seed);
        matches_oracle(subject, &other, oracle, tolerance(&other), words)
    })
}

fn shape_with_other_data(shape: &WeightsShape, data: u64) -> WeightsShape {
    WeightsShape { data, ..uneven(shape) }
}

pub(crate) fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("statistics/strided-input", seed);
    search(subject, run, 3, weights_shapes(), |subject, shape| {
        // Some weights apart from others, so that constants are told.
        let case = uneven(shape).case(seed);
        same_on_views(subject, (&case, &case.clone().strided()), oracle, tolerance(&case))?;
        let other = shape_with_other_data(shape, shape.data ^ 1).case(seed);
        let (before, after) = (read(subject, &case)?, read(subject, &other)?);
        let same = before.iter().zip(&after).all(|(before, after)| !before.differs(after));
        if same {
            responds(&other, "entropy", (&before[0], &after[0]), "Other weights came")
        } else {
            Ok(())
        }
    })
}

pub(crate) fn refuses_no_token(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("statistics/refuses-no-token", seed);
    search(subject, run, 3, weights_shapes(), |subject, shape| {
        let fitting = shape.case(seed);
        let mut empty = fitting.with("mask", fitting.get("mask").map(|_| 0.0));
        empty.label.push_str(", no token is real");
        let words = (
            "No token of the batch is real, so there is nothing to take a mean of, which is an error",
            "Look at what the sums are divided by.",
        );
        refuses(subject, (&fitting, &empty), words)
    })
}
