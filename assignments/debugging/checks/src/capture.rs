//! Task 1, capturing attention weights: properties of every correct implementation.

use softmark_checks::array::{Array, short};
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, wrong};
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare};
use softmark_common::compare::Tolerance;

use crate::cases::{CaptureShape, capture_shapes};

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "capture/every-call",
        title: "one tensor is captured for each call of the module, in order",
        run: every_call,
    },
    Check {
        id: "capture/same-weights",
        title: "the captured weights are those that the module showed, bit for bit",
        run: same_weights,
    },
    Check {
        id: "capture/removes-hook",
        title: "when the epoch is over, the hook is gone",
        run: removes_hook,
    },
];

const CASES: usize = 6;

/// Result of a capture.
#[derive(Debug)]
pub struct Captured {
    /// Shapes of the captured tensors, concatenated.
    pub shapes: Array,
    /// Values of the captured tensors, concatenated.
    pub values: Array,
    numbers: [f64; COUNTS],
}

const COUNTS: usize = 8;

/// Names of the counts, in the order of [`Captured`]'s numbers.
const NUMBERS: [&str; COUNTS] = [
    "count",
    "with_history",
    "of_other_type",
    "watched_inside",
    "still_watched",
    "epochs",
    "failed",
    "failed_as_the_epoch",
];

impl Captured {
    /// One of the counts: `count`, `still_watched` and so on.
    pub fn number(&self, name: &str) -> usize {
        let at = NUMBERS.iter().position(|of| *of == name);
        let number = at.and_then(|at| self.numbers.get(at)).copied().unwrap_or(-1.0);
        // Counts are small; any other value is invalid.
        (0..=4096_u16).find(|n| f64::from(*n) == number).map_or(usize::MAX, usize::from)
    }
}

/// Runs a capture and returns its result.
///
/// # Errors
///
/// Fails with the verdict if the part gives no answer.
pub fn run(subject: &mut Subject<'_>, case: &Case) -> Result<Captured, Stop> {
    let answer = subject.forward(case)?;
    let length = |name: &str| answer.tensor(name).map_or(0, |it| it.shape().iter().product());
    let mut numbers = [0.0; COUNTS];
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

const LOOK_EPOCH: &str =
    "Look at each place where `during` calls `epoch`, and at what comes before it.";

const LOOK_KEPT: &str = "Look at what is done with the output before it is kept.";

const NO_HOOK: &str = "While the epoch ran, no hook was registered. Look at whether `register` is called, \
                       and at where the handle that it returns lives: the hook is gone when the handle is \
                       dropped.";

/// Checks that `during` returned tensors, and no error.
///
/// # Errors
///
/// Fails with the verdict if `during` returned an error.
pub fn judge_success(case: &Case, captured: &Captured) -> Judged {
    if captured.number("failed") == 0 {
        return Ok(());
    }
    let message = "`during` returned an error, though in this case the module exists, every call shows \
                   `weights`, and the epoch by itself ends in no error. Look at each step of `during` \
                   and of its hook that can return an error.";
    Err(wrong(case, message.to_owned()))
}

/// Checks that the epoch ran once, and that one tensor came back for each call.
///
/// # Errors
///
/// Fails with the verdict if either does not hold.
pub fn judge_count(case: &Case, shape: &CaptureShape, captured: &Captured) -> Judged {
    judge_success(case, captured)?;
    if captured.number("epochs") != 1 {
        let times = match captured.number("epochs") {
            0 => "never called".to_owned(),
            n => format!("called {n} times"),
        };
        let message = format!("`epoch` should be called once, and was {times}. {LOOK_EPOCH}");
        return Err(wrong(case, message));
    }
    let (is, due) = (captured.number("count"), shape.captured(case).0.len());
    if is != due {
        let calls = match due {
            0 => "never called".to_owned(),
            1 => "called once".to_owned(),
            n => format!("called {n} times"),
        };
        let tensors = match is {
            0 => "no tensor".to_owned(),
            1 => "1 tensor".to_owned(),
            n => format!("{n} tensors"),
        };
        let look = if captured.number("watched_inside") == 0 { NO_HOOK } else { LOOK };
        let message =
            format!("The module was {calls} while the epoch ran, and {tensors} came back. {look}");
        return Err(wrong(case, message));
    }
    Ok(())
}

/// Tolerance of the captured numbers where only the order of the calls is checked.
///
/// Half precision keeps numbers up to 2 to within 2⁻¹¹, `bf16` to within 2⁻⁸; this is more than twice that.
/// Two calls with numbers between −2 and 2 that agree so far in every place do not occur in the corners.
const SAME_CALL: Tolerance = Tolerance { relative: 0.0, absolute: 0.01 };

/// Checks the same, and that each tensor matches its call: its shape, and its numbers up to rounding.
///
/// # Errors
///
/// Fails with the verdict if one of these does not hold.
pub fn judge_calls(case: &Case, shape: &CaptureShape, captured: &Captured) -> Judged {
    judge_count(case, shape, captured)?;
    let (shapes, values) = shape.captured(case);
    let flat: Vec<f64> = shapes.iter().flatten().map(|size| *size as f64).collect();
    let want = Array::new(&[flat.len()], flat);
    if captured.shapes.shape() != want.shape() || captured.shapes.differs(&want) {
        let message = format!(
            "The weights of each call are [B, H, T, T], in the order of the calls: {shapes:?}. What \
             came back has other shapes (all sizes in a row: [{}]). {LOOK}",
            captured.shapes.values().iter().map(|x| short(*x)).collect::<Vec<_>>().join(", ")
        );
        return Err(wrong(case, message));
    }
    let want = Array::new(&[values.len()], values);
    let words = (
        "The tensors should come back in the order of the calls, each as the module showed it (all \
         values in a row are compared)",
        "Look at which output is taken, and at the order in which the calls come back.",
    );
    compare(case, "values", (&captured.values, &want), SAME_CALL, words)
}

/// Checks the same, and that the values equal the reported ones, bit for bit and in `f32`.
///
/// # Errors
///
/// Fails with the verdict if one of these does not hold.
pub fn judge_values(case: &Case, shape: &CaptureShape, captured: &Captured) -> Judged {
    judge_calls(case, shape, captured)?;
    if captured.number("of_other_type") != 0 {
        let message = format!(
            "The module shows weights in f32, and tensors of another dtype came back. {LOOK_KEPT}"
        );
        return Err(wrong(case, message));
    }
    let (_, values) = shape.captured(case);
    let want = Array::new(&[values.len()], values);
    let words = (
        "The captured weights should be what the module showed, bit for bit (all values in a row are \
         compared)",
        LOOK_KEPT,
    );
    compare(case, "values", (&captured.values, &want), Tolerance::EXACT, words)
}

/// Asks about the shape as it is, about calls that all show the same numbers, and about an epoch without a
/// call.
fn every_call(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/every-call", seed), CASES, capture_shapes(), |subject, shape| {
        let repeats = CaptureShape { repeats: true, batches: vec![2; 3], ..shape.clone() };
        let none = CaptureShape { batches: Vec::new(), around: true, ..shape.clone() };
        for shape in [shape, &repeats, &none] {
            let case = shape.case(seed);
            let captured = run(subject, &case)?;
            judge_calls(&case, shape, &captured)?;
        }
        Ok(())
    })
}

/// Asks about a single call: how many calls are kept is asked about elsewhere.
fn same_weights(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/same-weights", seed), CASES, capture_shapes(), |subject, shape| {
        let shape = shape.once();
        let case = shape.case(seed);
        let captured = run(subject, &case)?;
        judge_values(&case, &shape, &captured)
    })
}

/// Checks that a hook was registered while the epoch ran.
///
/// # Errors
///
/// Fails with the verdict if there was none: such a capture leaves nothing behind either.
pub fn judge_presence(case: &Case, captured: &Captured) -> Judged {
    if captured.number("epochs") == 0 {
        let message = format!("`epoch` was never called. {LOOK_EPOCH}");
        return Err(wrong(case, message));
    }
    if captured.number("watched_inside") == 0 {
        return Err(wrong(case, NO_HOOK.to_owned()));
    }
    Ok(())
}

/// Checks that no hook is left at any module.
///
/// # Errors
///
/// Fails with the verdict if a hook is left.
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
        let case = shape.once().case(seed);
        let captured = run(subject, &case)?;
        judge_removal(&case, &captured, "The epoch was over")?;
        judge_presence(&case, &captured)
    })
}
