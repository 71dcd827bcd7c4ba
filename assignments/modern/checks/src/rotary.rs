//! Checks of rotary positions beside the standard ones.

use softmark_checks::check::{CheckError, Judged, Stop};
use softmark_checks::subject::{compare, responds};
use softmark_checks::typed::{Shape, TypedTask, checks::outputs_of, shapes};
use softmark_checks::{Array, Case, Check, Outcome, Subject, search};
use softmark_common::compare::Tolerance;

use crate::inputs::Rotary;

/// A rotation leaves every vector as long as it was.
pub(crate) const KEEPS_LENGTH: Check =
    Check { id: "rotary/keeps-length", title: "vectors keep their lengths", run: keeps_length };

/// Products of a rotated query and a rotated key depend on the distance of their positions alone.
pub(crate) const RELATIVE: Check = Check {
    id: "rotary/relative",
    title: "the product of two vectors depends on their distance alone",
    run: relative,
};

fn rotated(subject: &mut Subject<'_>, case: &Case) -> Result<Array, Stop> {
    let outputs = outputs_of::<Rotary>(subject, case)?;
    Ok(outputs.into_iter().next().map_or_else(|| case.get("x"), |(_, output)| output))
}

/// Returns `Σ a[…, i, c] · b[…, j, c]` for each vector, with the positions that `places` makes of its index.
fn products(a: &Array, b: &Array, places: impl Fn(usize) -> [usize; 2]) -> Array {
    let shape = [a.dim(0), a.dim(1), a.dim(2)];
    Array::from_fn(&shape, |at| match *at {
        [n, h, t] => {
            let [i, j] = places(t);
            (0..a.dim(3)).map(|c| a.at(&[n, h, i, c]) * b.at(&[n, h, j, c])).sum()
        }
        _ => f64::NAN,
    })
}

/// Two rotations of numbers up to 2, each with five roundings, and a sum of `K` products of them.
fn tolerance(case: &Case) -> Tolerance {
    let width = case.get_size("width");
    Tolerance::f32(2 * (width + 10), 8.0 * width as f64)
}

fn keeps_length(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("rotary/keeps-length", seed), 4, shapes(Rotary::DIMS), |subject, shape| {
        let case = Rotary::case(shape, seed);
        let (x, output) = (case.get("x"), rotated(subject, &case)?);
        let words = (
            "A rotation should leave the sum of the squares of each vector as it was",
            "Look at the four terms of a rotation: their signs, and which is a sine.",
        );
        let [before, after] = [&x, &output].map(|it| products(it, it, |t| [t, t]));
        compare(&case, "squared lengths of output", (&after, &before), tolerance(&case), words)?;
        let same = same_everywhere(&case);
        turns(&same, &rotated(subject, &same)?)
    })
}

fn relative(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("rotary/relative", seed), 4, shapes(Rotary::DIMS), |subject, shape| {
        is_relative(subject, shape, seed)
    })
}

/// Returns the case with the vector of the first position at all positions.
fn same_everywhere(case: &Case) -> Case {
    let x = case.get("x");
    let first = |at: &[usize]| match *at {
        [n, h, _, c] => x.at(&[n, h, 0, c]),
        _ => f64::NAN,
    };
    case.with("x", Array::from_fn(x.shape(), first))
}

/// Checks that one vector comes out differently at two positions: code that rotates nothing keeps lengths and products.
fn turns(case: &Case, output: &Array) -> Judged {
    let at = |t: usize| {
        Array::from_fn(&[output.dim(0), output.dim(1), output.dim(3)], |at| match *at {
            [n, h, c] => output.at(&[n, h, t, c]),
            _ => f64::NAN,
        })
    };
    responds(case, "output", (&at(0), &at(1)), "The same vector stands at positions 0 and 1")
}

/// Compares the products at one distance, of the same query and the same key at all positions.
fn is_relative(subject: &mut Subject<'_>, shape: &Shape, seed: u64) -> Judged {
    let queries = same_everywhere(&Rotary::case(shape, seed));
    let keys =
        same_everywhere(&Rotary::case(&Shape { data: shape.data ^ 1, ..shape.clone() }, seed));
    let (q, k) = (rotated(subject, &queries)?, rotated(subject, &keys)?);
    turns(&queries, &q)?;
    let last = q.dim(2).saturating_sub(1);
    // The distance is 1 throughout, and the last position has no next one.
    let here = products(&q, &k, |_| [1.min(last), 0]);
    let there = products(&q, &k, |t| [(t + 1).min(last), t.min(last.saturating_sub(1))]);
    let words = (
        "The same query and the same key stand at all positions, so products at distance 1 should be the same \
         everywhere",
        "Look at what the angle of a position is: it should grow by the same amount from each position to the next.",
    );
    compare(&queries, "products at distance 1", (&there, &here), tolerance(&queries), words)
}
