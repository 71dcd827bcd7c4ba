//! Causality of grouped-query attention, also where all scores that may be seen are far below zero.

use softmark_checks::array::{Array, disturbed};
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, if_passed};
use softmark_checks::outcome::Outcome;
use softmark_checks::subject::{Subject, compare};
use softmark_checks::typed::checks::{self, outputs_of};
use softmark_checks::typed::{Draw, Shape, Tensor, Typed, TypedTask};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::inputs::GroupedQuery;

/// Check that later positions have no influence on earlier ones.
pub(crate) const CAUSALITY: Check = Check {
    id: "grouped-query/causality",
    title: "what comes later has no influence on what comes before",
    run: causality,
};

/// Size of the inputs where scores are far below zero.
///
/// With the weights of [`with_low_scores`], position 0 sees one score, `−K · SIZE² / √K = −√K · SIZE²`. That is −2.4·10⁷ for
/// heads of two channels and −3.4·10⁷ for four: far below the −10⁴ or −10⁶ that some code puts in the place of hidden scores,
/// far above −10⁹, and exact in `f32`, because `SIZE` is a power of two and nothing is rotated at position 0.
const SIZE: f64 = 4096.0;

fn causality(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let found = checks::causality::<GroupedQuery>(subject, seed)?;
    if_passed(found, || is_causal_at_low_scores(subject, seed))
}

/// Returns a question in which the score of a position for itself is far below zero, in every head.
///
/// Keys are the negated channels of the input, each in one head, and queries are the channels of their keys. All inputs
/// are [`SIZE`] or its negative.
fn with_low_scores(shape: &Shape, seed: u64) -> GroupedQuery {
    let drawn = GroupedQuery::of(shape, Draw::new(seed, shape.data));
    let width = drawn.d_model / drawn.heads;
    let group = drawn.heads / drawn.kv_heads;
    // The row of the keys that a row of the queries meets.
    let shared = |row: usize| row / width / group * width + row % width;
    let entries = |array: &Tensor, of: &dyn Fn(usize, usize) -> f64| {
        Tensor::from_fn(array.shape(), |at| match *at {
            [row, channel] => of(row, channel),
            _ => f64::NAN,
        })
    };
    let q = entries(&drawn.q, &|row, channel| f64::from(u8::from(channel == shared(row))));
    let k = entries(&drawn.k, &|row, channel| -f64::from(u8::from(channel == row)));
    let x = drawn.x.map(|x| SIZE * x.signum());
    GroupedQuery { q, k, x, ..drawn }
}

fn is_causal_at_low_scores(subject: &mut Subject<'_>, seed: u64) -> Judged {
    let shape = Shape::corner(GroupedQuery::DIMS);
    let case = with_low_scores(&shape, seed).to_case(format!("{}, low scores", shape.label()));
    let x = case.get("x");
    let is_last = |at: &[usize]| at.get(1).is_some_and(|t| t + 1 == x.dim(1));
    let mut stream = Stream::derive(seed, "x", 1);
    let moved = case.with("x", disturbed(&x, SIZE, &mut stream, is_last));
    let earlier = |subject: &mut Subject<'_>, case: &Case| -> Result<Array, Stop> {
        let output = outputs_of::<GroupedQuery>(subject, case)?.into_iter().next();
        let output = output.map_or_else(|| case.get("x"), |(_, output)| output);
        Ok(Array::from_fn(output.shape(), |at| if is_last(at) { 0.0 } else { output.at(at) }))
    };
    let (before, after) = (earlier(subject, &case)?, earlier(subject, &moved)?);
    // What overflows at large scores is for another check.
    if before.first_not_finite().is_some() {
        return Ok(());
    }
    let words = (
        "Only the last position was replaced, and the output at an earlier one moved. The score of position 0 for itself is \
         about −2·10⁷ here",
        "Look at what becomes of hidden scores beside visible ones that are far below zero.",
    );
    compare(&moved, "output", (&after, &before), Tolerance::EXACT, words)
}
