//! Task 4, learned positions: properties of every correct implementation.

use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, if_passed, wrong};
use softmark_checks::computes::{computes, other_parameters};
use softmark_checks::missing::refused_without;
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
        id: "learned-position/parameters",
        title: "the table is asked for by its name",
        run: parameters,
    },
    Check {
        id: "learned-position/shapes",
        title: "the output has the shape of the input, in f32",
        run: shapes,
    },
    Check {
        id: "learned-position/adds-its-row",
        title: "each position gets its own row of the table added",
        run: adds_its_row,
    },
];

const CASES: usize = 8;

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("learned-position/parameters", seed),
        2,
        position_shapes(),
        |subject, shape| {
            let case = shape.learned(seed);
            if subject.asked(&case)?.is_empty() {
                let message =
                    "The constructor never asked for position_embedding.weight, so there is \
                           nothing to learn. Look at where the table comes from."
                        .to_owned();
                return Err(wrong(&case, message));
            }
            refused_without(subject, &case, &["position_embedding.weight"])?;
            computes(subject, &case)
        },
    )
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("learned-position/shapes", seed),
        CASES,
        position_shapes(),
        |subject, shape| {
            let case = shape.learned(seed);
            let before = encode(subject, &case)?;
            output_responds(subject, &case, &before)
        },
    )
}

/// Checks that the output depends on the table: the output of code that returns its input depends on that alone.
///
/// This check only establishes that something is computed at all, not that the result is right.
///
/// # Errors
///
/// Fails with the verdict if the output does not change.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let after = encode(subject, &other_parameters(case, |_| true))?;
    if before.differs(&after) {
        return Ok(());
    }
    // A norm of two numbers gives the same for many of them, one of six does not.
    let wide = WIDE.learned(fixed::SEED);
    let moved = other_parameters(&wide, |_| true);
    let (before, after) = (encode(subject, &wide)?, encode(subject, &moved)?);
    responds(&moved, "output", (&before, &after), "Every number of the table was changed")
}

/// Shape of a question whose rows are wide enough that no norm evens out their changes.
const WIDE: PositionShape =
    PositionShape { b: 2, t: 4, half: 3, spare: 2, strided: false, data: 0 };

fn adds_its_row(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("learned-position/adds-its-row", seed);
    let found = search(subject, run, CASES, position_shapes(), |subject, shape| {
        row_is_added(subject, &shape.learned(seed))
    })?;
    if_passed(found, || row_is_added(subject, &with_full_mantissas(&LONG.learned(fixed::SEED))))
}

/// Shape of a sequence that is longer than any random one, and shorter than the table.
const LONG: PositionShape =
    PositionShape { b: 2, t: 300, half: 2, spare: 3, strided: false, data: 0 };

fn row_is_added(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let (x, table) = (case.get("x"), case.get_parameter("position_embedding.weight"));
    let output = encode(subject, case)?;
    let want = Array::from_fn(x.shape(), |at| match *at {
        [_, t, c] => x.at(at) + table.at(&[t, c]),
        _ => f64::NAN,
    });
    let claim = "Row t of position_embedding.weight should be added at position t";
    let look = "Look at which axis of the input counts positions, and at which rows of the table are \
                taken.";
    // One addition of numbers up to 2, and four times that.
    compare(case, "output", (&output, &want), Tolerance::f32(4, 4.0), (claim, look))
}
