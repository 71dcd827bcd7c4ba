//! Hidden checks of the statistics.

use debugging_checks::cases::{WeightsShape, weights_shapes};
use debugging_checks::statistics::{NUMBERS, read, tolerance};
use softmark_checks::check::if_passed;
use softmark_checks::subject::{compare, refuses, responds};
use softmark_checks::{
    Array, Case, Check, CheckError, Judged, Outcome, Stop, Subject, mantissa, search,
};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{matches_oracle, same_on_views};

use crate::oracle;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "statistics/matches-reference",
        title: "the three numbers are those of the formulas",
        run: matches_reference,
    },
    Check {
        id: "statistics/every-query-counts",
        title: "every real query of the batch counts once",
        run: every_query_counts,
    },
    Check {
        id: "statistics/ignores-padded-queries",
        title: "rows of padded queries play no part, whatever stands in them",
        run: ignores_padded_queries,
    },
    Check {
        id: "statistics/ignores-empty-texts",
        title: "a text of padding alone in a batch plays no part",
        run: ignores_empty_texts,
    },
    Check {
        id: "statistics/strided-input",
        title: "inputs that are not contiguous in memory make no difference",
        run: strided_input,
    },
    Check {
        id: "statistics/refuses-no-token",
        title: "a batch without a real token is an error",
        run: refuses_no_token,
    },
];

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let found = search(
        subject,
        ("statistics/matches-reference", seed),
        8,
        weights_shapes(),
        |subject, shape| {
            let case = shape.case(seed);
            let words = (
                "Entropy, distance and share on padding should be those of the formulas",
                "Go through the three formulas term by term: which logarithm, which heads, queries and keys, \
             which mean, and in which precision?",
            );
            matches_oracle(subject, &case, oracle::statistics, tolerance(&case), words)
        },
    )?;
    if_passed(found, || {
        let shape = WeightsShape { texts: vec![4, 3], h: 2, t: 6, data: 0 };
        let case = with_padding_anywhere(&shape.case(SEED));
        let words = (
            "A token is real where the mask is 1, also behind padding, and the numbers should be those of the formulas",
            "Look at how your code finds the real queries and the real keys of a text.",
        );
        matches_oracle(subject, &case, oracle::statistics, tolerance(&case), words)
    })
}

/// Seed of cases that are the same on every run.
const SEED: u64 = 11;

/// The case with the tokens of text `b` moved by `2·(b + 1)` places, around the end: of the first text the padding stands in the middle, of
/// the second one at both ends.
fn with_padding_anywhere(case: &Case) -> Case {
    let mask = case.get("mask");
    let t = mask.dim(1);
    let moved = Array::from_fn(mask.shape(), |at| match *at {
        [b, place] => mask.at(&[b, (place + 2 * (b + 1)) % t]),
        _ => f64::NAN,
    });
    let mut moved = case.with("mask", moved);
    moved.label = format!("{}, padding between and before them", case.label);
    moved
}

/// Two texts of different lengths at least, so that a mean of means is another number.
fn uneven(shape: &WeightsShape) -> WeightsShape {
    let mut texts = shape.texts.clone();
    let first = texts.first().copied().unwrap_or(1);
    texts.insert(0, first + 2);
    WeightsShape { t: shape.t.max(first + 2) + 1, texts, ..shape.clone() }
}

/// The statistics of a batch, which have to be those of another case with other random numbers too: code
/// that always answers the same is told.
fn read_moving(
    subject: &mut Subject<'_>,
    shape: &WeightsShape,
    seed: u64,
) -> Result<(Case, [Array; 3]), Stop> {
    let case = shape.case(seed);
    let other = WeightsShape { data: shape.data ^ 1, ..shape.clone() }.case(seed);
    let (before, after) = (read(subject, &case)?, read(subject, &other)?);
    if before.iter().zip(&after).all(|(before, after)| !before.differs(after)) {
        responds(&other, "entropy", (&before[0], &after[0]), "Other weights were handed in")?;
    }
    Ok((case, before))
}

/// Checks that two readings of the same heads agree, each of them rounded.
fn judge_same(
    (case, got): (&Case, &[Array; 3]),
    want: &[Array; 3],
    other: &Case,
    words: (&str, &str),
) -> Judged {
    let allowed = tolerance(case) + tolerance(other);
    let each = NUMBERS.into_iter().zip(got).zip(want);
    each.into_iter()
        .try_for_each(|((name, got), want)| compare(case, name, (got, want), allowed, words))
}

/// Real queries that no byte counts, as tokens of a text and how often it stands in the batch: 300, and 256,
/// which a byte takes for none.
const MANY: [(usize, usize); 2] = [(30, 10), (32, 8)];

fn every_query_counts(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("statistics/every-query-counts", seed),
        6,
        weights_shapes(),
        |subject, shape| {
            judge_weighted_mean(subject, &uneven(shape), seed)?;
            MANY.into_iter().try_for_each(|many| judge_many(subject, shape, many, seed))
        },
    )
}

/// Checks that the numbers of a batch are the mean of those of its texts, weighted with their real queries.
fn judge_weighted_mean(subject: &mut Subject<'_>, shape: &WeightsShape, seed: u64) -> Judged {
    let (case, whole) = read_moving(subject, shape, seed)?;
    let (weights, mask) = (case.get("weights"), case.get("mask"));
    let mut sums = [(); 3].map(|()| Array::full(&[shape.h], 0.0));
    for (b, real) in shape.texts.iter().enumerate() {
        let row = |of: &Array| {
            let shape: Vec<usize> = of.shape().iter().skip(1).copied().collect();
            Array::from_fn(&[&[1], &shape[..]].concat(), |at| {
                at.split_first().map_or(f64::NAN, |(_, rest)| of.at(&[&[b], rest].concat()))
            })
        };
        let mut alone = case.with("weights", row(&weights)).with("mask", row(&mask));
        alone.label = format!("text {b} alone, of the batch: {}", case.label);
        for (sum, own) in sums.iter_mut().zip(read(subject, &alone)?) {
            *sum = Array::from_fn(&[shape.h], |at| sum.at(at) + *real as f64 * own.at(at));
        }
    }
    let queries: usize = shape.texts.iter().sum();
    let mean = sums.map(|sum| sum.map(|x| x / queries as f64));
    let words = (
        "Every real query of the batch counts once, so that each number should be the mean of what your \
         code gives for each text alone, weighted with its real tokens",
        "Look at what the mean is taken over, and at what it is divided by.",
    );
    judge_same((&case, &whole), &mean, &case, words)
}

/// Checks that a batch of copies has the numbers of one of them, and that all tokens of a text are counted.
fn judge_many(
    subject: &mut Subject<'_>,
    shape: &WeightsShape,
    (n, copies): (usize, usize),
    seed: u64,
) -> Judged {
    let one = WeightsShape { texts: vec![n], h: 1, t: n, ..*shape }.case(seed);
    let alone = read(subject, &one)?;
    let weights = one.get("weights");
    let all = WeightsShape { texts: vec![n; copies], h: 1, t: n, ..*shape };
    let batch = all.of(|at| match *at {
        [_, ref rest @ ..] => weights.at(&[&[0], rest].concat()),
        _ => f64::NAN,
    });
    let together = read(subject, &batch)?;
    let real = n * copies;
    let claim = format!(
        "The batch is one text {copies} times, {real} real tokens in all, and each number should be that of \
         the text alone"
    );
    let look = "Look at the type in which real queries are counted, and at how far it counts.";
    judge_same((&batch, &together), &alone, &batch, (&claim, look))?;
    let n = real;
    let long = WeightsShape { texts: vec![n], h: 1, t: n, ..*shape }.of(|_| 1.0 / n as f64);
    let claim = format!(
        "The text has {n} real tokens and every query looks at all of them alike, so its distance to \
         uniform is 0"
    );
    let look = "Look at the type in which the real tokens of a text are counted, and at how far it counts.";
    let [_, away, _] = read(subject, &long)?;
    let pair = (&away, &Array::full(&[1], 0.0));
    compare(&long, "from_uniform", pair, tolerance(&long), (&claim, look))
}

/// Values put in the rows of padded queries: an ordinary number, large ones, infinity and `NaN`.
const AT_PADDING: [f64; 5] = [0.5, 1e10, 3e38, f64::INFINITY, f64::NAN];

/// What stands in the rows of padded queries must not matter: neither numbers nor `NaN`.
fn ignores_padded_queries(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("statistics/ignores-padded-queries", seed);
    search(subject, run, 5, weights_shapes(), |subject, shape| {
        let (case, before) = read_moving(subject, &uneven(shape), seed)?;
        let (weights, mask) = (case.get("weights"), case.get("mask"));
        let words = (
            "Only the rows of padded queries were replaced, and a number moved",
            "Look at which queries the mean is taken over, and at what becomes of values there that are \
             huge, infinite or NaN.",
        );
        for value in AT_PADDING {
            let replaced = Array::from_fn(weights.shape(), |at| match *at {
                [b, _, query, _] if mask.at(&[b, query]) == 0.0 => mantissa::single(value),
                _ => weights.at(at),
            });
            let mut moved = case.with("weights", replaced);
            moved.label = format!("{}, {value:e} in the rows of padded queries", case.label);
            let after = read(subject, &moved)?;
            for ((name, after), before) in NUMBERS.into_iter().zip(&after).zip(&before) {
                compare(&moved, name, (after, before), Tolerance::EXACT, words)?;
            }
        }
        Ok(())
    })
}

/// A text of padding alone behind the first is all padded queries.
fn ignores_empty_texts(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("statistics/ignores-empty-texts", seed);
    search(subject, run, 4, weights_shapes(), |subject, shape| {
        // A text of one token has the same numbers whatever its weights are.
        let shape = &uneven(shape);
        let (case, before) = read_moving(subject, shape, seed)?;
        let weights = case.get("weights");
        let mut texts = shape.texts.clone();
        texts.insert(1, 0);
        // The new text shows what the first does.
        let with_empty = WeightsShape { texts, ..shape.clone() }.of(|at| match *at {
            [b, ref rest @ ..] => weights.at(&[&[b.saturating_sub(1)], rest].concat()),
            _ => f64::NAN,
        });
        let words = (
            "A text of padding alone was added to the batch: all its queries are padded, and no number \
             should change",
            "Look at which queries and texts the mean counts, and at what is divided by the number of \
             real tokens of a text, which is 0 here.",
        );
        let after = read(subject, &with_empty)?;
        judge_same((&with_empty, &after), &before, &case, words)
    })
}

fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("statistics/strided-input", seed), 3, weights_shapes(), |subject, shape| {
        // Some weights apart from others, so that constants are told.
        let case = uneven(shape).case(seed);
        let mut view = case.clone().strided();
        view.label.push_str(", inputs not contiguous");
        same_on_views(subject, (&case, &view), oracle::statistics, tolerance(&case))?;
        read_moving(subject, &uneven(shape), seed).map(drop)
    })
}

fn refuses_no_token(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("statistics/refuses-no-token", seed), 3, weights_shapes(), |subject, shape| {
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
