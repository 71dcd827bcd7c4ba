//! Hidden checks of the capture.

use softmark_checks::check::wrong;
use softmark_checks::debugging::capture::{judge_count, judge_removal, judge_values, run};
use softmark_checks::debugging::cases::{ABSENT, CaptureShape, capture_shapes};
use softmark_checks::{CheckError, Outcome, Subject, search};

pub(crate) fn only_its_module(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/only-its-module", seed), 5, capture_shapes(), |subject, shape| {
        let shape = CaptureShape { around: true, ..shape.clone() };
        let case = shape.case(seed);
        let captured = run(subject, &case)?;
        judge_values(&case, &shape, &captured)
    })
}

pub(crate) fn no_history(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/no-history", seed), 4, capture_shapes(), |subject, shape| {
        let case = shape.case(seed);
        let captured = run(subject, &case)?;
        judge_count(&case, shape, &captured)?;
        match captured.number("with_history") {
            0 => Ok(()),
            n => Err(wrong(
                &case,
                format!(
                    "Tensors that came back with a history: {n}. Each keeps the whole graph of its \
                     training step in memory. Look at what the hook keeps of the tensor \
                     that it is shown."
                ),
            )),
        }
    })
}

pub(crate) fn removes_hook_on_error(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run_as = ("capture/removes-hook-on-error", seed);
    search(subject, run_as, 4, capture_shapes(), |subject, shape| {
        let case = shape.case(seed);
        judge_count(&case, shape, &run(subject, &case)?)?;
        let broken = CaptureShape { fails: true, ..shape.clone() };
        let mut case = broken.case(seed);
        case.label.push_str(", the epoch ends in an error");
        let captured = run(subject, &case)?;
        if captured.number("failed_as_the_epoch") != 1 {
            let message = "`epoch` returned an error, and `during` should return that very error. Look \
                           at what is done with the result of `epoch`.";
            return Err(wrong(&case, message.to_owned()));
        }
        judge_removal(&case, &captured, "The epoch ended in an error")
    })
}

pub(crate) fn refuses_unknown_modules(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run_as = ("capture/refuses-unknown-modules", seed);
    search(subject, run_as, 3, capture_shapes(), |subject, shape| {
        let case = shape.case(seed);
        judge_count(&case, shape, &run(subject, &case)?)?;
        let mut case = case.with_size("module", ABSENT);
        case.label.push_str(", of a module that is not there");
        let captured = run(subject, &case)?;
        let look = "Look at what is done with the result of `register`, and at what comes first.";
        if captured.number("failed") != 1 {
            let message = format!(
                "There is no module of that name, which `register` says in an error, and `during` \
                 returned none. {look}"
            );
            return Err(wrong(&case, message));
        }
        if captured.number("epochs") != 0 {
            let message = format!(
                "There is no module of that name, and the epoch was run all the same: an hour of \
                 training for nothing. {look}"
            );
            return Err(wrong(&case, message));
        }
        Ok(())
    })
}
