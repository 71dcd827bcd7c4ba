//! Task 3, sinusoidal positions: properties of every correct implementation.

use softmark_checks::array::{Array, raised_unequally};
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, if_passed, wrong};
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, responds};
use softmark_common::compare::Tolerance;

use crate::cases::{PositionShape, position_shapes};
use crate::fixed::{self, with_full_mantissas};

pub use softmark_checks::component::output_like_input as encode;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "sinusoidal-position/shapes",
        title: "the output has the shape of the input, in f32",
        run: shapes,
    },
    Check {
        id: "sinusoidal-position/first-position",
        title: "at the first position, 0 and 1 take turns",
        run: first_position,
    },
    Check {
        id: "sinusoidal-position/is-added",
        title: "the encoding is added: it does not depend on what it is added to",
        run: is_added,
    },
    Check {
        id: "sinusoidal-position/unit-circles",
        title: "each sine and the cosine next to it lie on the unit circle",
        run: unit_circles,
    },
];

const CASES: usize = 8;

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/shapes", seed);
    search(subject, run, CASES, position_shapes(), |subject, shape| {
        let case = shape.sinusoidal(seed);
        let before = encode(subject, &case)?;
        let raised = case.with("x", raised_unequally(&case.get("x")));
        let after = encode(subject, &raised)?;
        responds(&raised, "output", (&before, &after), "Every input was changed")?;
        encodes(&case, &before)
    })
}

/// Checks that something was added to the input: code that returns its input encodes nothing.
///
/// Nothing is claimed of a single position: a wrong encoding may have zeros in its first row.
fn encodes(case: &Case, output: &Array) -> Judged {
    let x = case.get("x");
    if x.dim(1) < 2 || output.differs(&x) {
        return Ok(());
    }
    let message =
        "`output` is the input as it is, so no position was added. Look at what `encode` returns.";
    Err(wrong(case, message.to_owned()))
}

/// Returns the case with zeros to add to, so that the encoding stands alone.
fn bare(shape: &PositionShape, seed: u64) -> Case {
    let case = shape.sinusoidal(seed);
    let x = case.get("x");
    case.with("x", x.map(|_| 0.0))
}

/// Checks that the output differs from the input, for two positions at least: the first row of a wrong encoding may
/// be zeros.
///
/// # Errors
///
/// Fails with the verdict if nothing is done to the input.
pub fn changes_something(subject: &mut Subject<'_>, shape: &PositionShape, seed: u64) -> Judged {
    let case = PositionShape { t: shape.t.max(2), ..*shape }.sinusoidal(seed);
    if encode(subject, &case)? == case.get("x") {
        let message = "What came out is what went in: no position was added. Look at what happens \
                       to the table.";
        return Err(wrong(&case, message.to_owned()));
    }
    Ok(())
}

fn first_position(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/first-position", seed);
    search(subject, run, CASES, position_shapes(), |subject, shape| {
        let case = bare(shape, seed);
        let output = encode(subject, &case)?;
        let (b, d) = (shape.b, 2 * shape.half);
        let first = Array::from_fn(&[b, d], |at| match *at {
            [b, c] => output.at(&[b, 0, c]),
            _ => f64::NAN,
        });
        let want = Array::from_fn(&[b, d], |at| at.last().map_or(f64::NAN, |c| (c % 2) as f64));
        let claim = "Position 0, added to zeros, should give sin 0 = 0 in the even channels and \
                     cos 0 = 1 in the odd ones";
        let look = "Look at the number of the first position, and at how sines and cosines are \
                    laid out along the channels.";
        // sin 0 and cos 0 are exact, and adding zero rounds nothing.
        compare(&case, "output", (&first, &want), Tolerance::EXACT, (claim, look))
    })
}

fn is_added(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/is-added", seed);
    let found = search(subject, run, CASES, position_shapes(), |subject, shape| {
        adds(subject, &shape.sinusoidal(seed))?;
        changes_something(subject, shape, seed)
    })?;
    if_passed(found, || adds(subject, &with_full_mantissas(&PRECISE.sinusoidal(fixed::SEED))))
}

/// A question whose numbers need all bits of an `f32`.
const PRECISE: PositionShape =
    PositionShape { b: 2, t: 5, half: 3, spare: 2, strided: false, data: 0 };

fn adds(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let x = case.get("x");
    let with_x = encode(subject, case)?;
    let alone = encode(subject, &case.with("x", x.map(|_| 0.0)))?;
    let want = Array::from_fn(x.shape(), |at| alone.at(at) + x.at(at));
    let claim = "The output for x should be x plus the output for zeros";
    let look = "Look at how the table and the input are brought together.";
    // Two additions of numbers up to 3, and ten times that: whatever is wrong here is far off.
    compare(case, "output", (&with_x, &want), Tolerance::f32(20, 3.0), (claim, look))
}

fn unit_circles(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/unit-circles", seed);
    search(subject, run, CASES, position_shapes(), |subject, shape| {
        let case = bare(shape, seed);
        let output = encode(subject, &case)?;
        let radius = Array::from_fn(&[shape.b, shape.t, shape.half], |at| match *at {
            [b, t, i] => {
                let (sin, cos) = (output.at(&[b, t, 2 * i]), output.at(&[b, t, 2 * i + 1]));
                sin * sin + cos * cos
            }
            _ => f64::NAN,
        });
        let want = Array::full(radius.shape(), 1.0);
        let claim = "Channels 2i and 2i + 1 are the sine and the cosine of the same angle, so \
                     their squares should sum to one";
        let look = "Look at which channels share a frequency.";
        // A sine and a cosine, each rounded once and good to about two units in the last place.
        compare(&case, "output", (&radius, &want), Tolerance::f32(8, 1.0), (claim, look))
    })
}
