//! Task 1, capturing attention weights: what is true of any right capture.

use softmark_kit::compare::Tolerance;

use crate::array::Array;
use crate::case::Case;
use crate::check::{Check, CheckError, Judged, Stop, wrong};
use crate::debugging::cases::{CaptureShape, capture_shapes};
use crate::outcome::Outcome;
use crate::search::search;
use crate::subject::{Subject, compare};

/// From the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "capture/every-call",
        title: "one tensor is captured for each call of the module",
        run: every_call,
    },
    Check {
        id: "capture/same-weights",
        title: "what is captured are the module's weights, bit for bit",
        run: same_weights,
    },
    Check {
        id: "capture/removes-hook",
        title: "when the epoch is over, the hook is gone",
        run: removes_hook,
    },
];

const CASES: usize = 6;

/// What came of a capture.
#[derive(Debug)]
pub struct Captured {
    /// The shapes of the tensors, one after another.
    pub shapes: Array,
    /// Their values, one after another.
    pub values: Array,
    numbers: [f64; 6],
}

/// What is counted besides, in the order of [`Captured`]'s numbers.
const NUMBERS: [&str; 6] =
    ["count", "with_history", "still_watched", "epochs", "failed", "failed_as_the_epoch"];

impl Captured {
    /// One of the counts: `count`, `still_watched` and so on.
    pub fn number(&self, name: &str) -> usize {
        let at = NUMBERS.iter().position(|of| *of == name);
        let number = at.and_then(|at| self.numbers.get(at)).copied().unwrap_or(-1.0);
        // Counts are small; anything else is none.
        (0..=4096_u16).find(|n| f64::from(*n) == number).map_or(usize::MAX, usize::from)
    }
}

/// Runs a capture.
///
/// # Errors
///
/// The verdict, where no answer came.
pub fn run(subject: &mut Subject<'_>, case: &Case) -> Result<Captured, Stop> {
    let answer = subject.forward(case)?;
    let length = |name: &str| answer.tensor(name).map_or(0, |it| it.shape().iter().product());
    let mut numbers = [0.0; 6];
    for (number, name) in numbers.iter_mut().zip(NUMBERS) {
        *number = answer.get(case, name, &[1])?.at(&[0]);
    }
    Ok(Captured {
        shapes: answer.get(case, "shapes", &[length("shapes")])?,
        values: answer.get(case, "values", &[length("values")])?,
        numbers,
    })
}

const LOOK: &str = "Look at where the hook is registered, at what it does at each call, and at what is \
                    given back.";

/// Holds that an epoch was run once, and that one tensor came back for each call.
///
/// # Errors
///
/// The verdict, where it is otherwise.
pub fn judge_count(case: &Case, shape: &CaptureShape, captured: &Captured) -> Judged {
    if captured.number("failed") != 0 {
        let message = format!(
            "`during` returned an error, though the epoch returned none and the module exists. {LOOK}"
        );
        return Err(wrong(case, message));
    }
    if captured.number("epochs") != 1 {
        let epochs = captured.number("epochs");
        let message =
            format!("`epoch` should be called once; calls that were made: {epochs}. {LOOK}");
        return Err(wrong(case, message));
    }
    let (is, due) = (captured.number("count"), shape.captured(case).0.len());
    if is != due {
        let message = format!(
            "Calls of the module while the epoch ran: {due}; tensors that came back: {is}. {LOOK}"
        );
        return Err(wrong(case, message));
    }
    Ok(())
}

/// Holds the same, and that each tensor has its shape.
///
/// # Errors
///
/// The verdict, where it is otherwise.
pub fn judge_calls(case: &Case, shape: &CaptureShape, captured: &Captured) -> Judged {
    judge_count(case, shape, captured)?;
    let (shapes, _) = shape.captured(case);
    let flat: Vec<f64> = shapes.iter().flatten().map(|size| *size as f64).collect();
    let want = Array::new(&[flat.len()], flat);
    if captured.shapes.shape() != want.shape() || captured.shapes.differs(&want) {
        let message = format!(
            "The weights of each call are [B, H, T, T], in the order of the calls: {shapes:?}. What \
             came back has other shapes (all sizes in a row: {:?}). {LOOK}",
            captured.shapes.values()
        );
        return Err(wrong(case, message));
    }
    Ok(())
}

/// Holds that the values are those that were shown.
///
/// # Errors
///
/// The verdict, where they are not.
pub fn judge_values(case: &Case, shape: &CaptureShape, captured: &Captured) -> Judged {
    judge_calls(case, shape, captured)?;
    let (_, values) = shape.captured(case);
    let want = Array::new(&[values.len()], values);
    let words = (
        "What is captured should be what the module showed, call after call, bit for bit (all values in \
         a row are compared)",
        "Look at which output is taken, at what is done with it before it is kept, and at the order in \
         which the calls come back.",
    );
    let length = [captured.values.values().len()];
    if length != [want.values().len()] {
        return Err(wrong(case, format!("{}. {}", words.0, words.1)));
    }
    compare(case, "values", (&captured.values, &want), Tolerance::EXACT, words)
}

fn every_call(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/every-call", seed), CASES, capture_shapes(), |subject, shape| {
        let case = shape.case(seed);
        let captured = run(subject, &case)?;
        judge_calls(&case, shape, &captured)
    })
}

fn same_weights(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/same-weights", seed), CASES, capture_shapes(), |subject, shape| {
        let case = shape.case(seed);
        let captured = run(subject, &case)?;
        judge_values(&case, shape, &captured)
    })
}

/// Holds that nobody looks at the modules any more.
///
/// # Errors
///
/// The verdict, where somebody does.
pub fn judge_removal(case: &Case, captured: &Captured, when: &str) -> Judged {
    if captured.number("still_watched") == 0 {
        return Ok(());
    }
    let message = format!(
        "{when}, `during` returned and its hook was still registered. Look at where the handle that \
         `register` returns lives, and at what happens to it on every way out of the function."
    );
    Err(wrong(case, message))
}

fn removes_hook(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/removes-hook", seed), CASES, capture_shapes(), |subject, shape| {
        let case = shape.case(seed);
        let captured = run(subject, &case)?;
        judge_removal(&case, &captured, "The epoch was over")?;
        // A capture that never registers anything leaves nothing behind either.
        judge_count(&case, shape, &captured)
    })
}
