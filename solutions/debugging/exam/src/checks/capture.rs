//! Hidden checks of the capture.

use debugging_checks::capture::{judge_calls, judge_presence, judge_removal, judge_success, run};
use debugging_checks::cases::{ABSENT, CaptureShape, MODULES, capture_shapes};
use softmark_checks::check::wrong;
use softmark_checks::{Case, Check, CheckError, Judged, Outcome, Subject, search};

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "capture/only-its-module",
        title: "calls of other modules, and calls before and after the epoch, are not captured",
        run: only_its_module,
    },
    Check {
        id: "capture/no-history",
        title: "nothing of the training graph is kept",
        run: no_history,
    },
    Check {
        id: "capture/removes-hook-on-error",
        title: "when the epoch ends in an error, the hook is gone all the same",
        run: removes_hook_on_error,
    },
    Check {
        id: "capture/passes-errors",
        title: "an epoch's error is returned as it is",
        run: passes_errors,
    },
    Check {
        id: "capture/refuses-unknown-modules",
        title: "a module that is not there is an error, before anything is run",
        run: refuses_unknown_modules,
    },
    Check {
        id: "capture/refuses-missing-weights",
        title: "a call that shows no weights is an error",
        run: refuses_missing_weights,
    },
];

fn only_its_module(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/only-its-module", seed), 5, capture_shapes(), |subject, shape| {
        let shape = CaptureShape { around: true, ..shape.once() };
        let case = shape.case(seed);
        let captured = run(subject, &case)?;
        judge_calls(&case, &shape, &captured)
    })
}

fn no_history(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/no-history", seed), 4, capture_shapes(), |subject, shape| {
        for shape in [&shape.once(), shape] {
            let case = shape.case(seed);
            let captured = run(subject, &case)?;
            judge_success(&case, &captured)?;
            judge_presence(&case, &captured)?;
            if captured.number("count") == 0 {
                let message = "The module was called while the epoch ran, and no tensor came back. \
                               Look at where the hook keeps what it is shown.";
                return Err(wrong(&case, message.to_owned()));
            }
            let said = match captured.number("with_history") {
                0 => continue,
                1 => "1 of the tensors that came back still has a history".to_owned(),
                n => format!("{n} of the tensors that came back still have a history"),
            };
            let message = format!(
                "{said}: such a tensor keeps the whole graph of its training step in memory. Look at \
                 what the hook keeps of the tensor that it is shown."
            );
            return Err(wrong(&case, message));
        }
        Ok(())
    })
}

/// The same shape with an epoch that ends in an error.
fn broken(shape: &CaptureShape) -> CaptureShape {
    CaptureShape { fails: true, ..shape.once() }
}

fn passes_errors(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("capture/passes-errors", seed), 4, capture_shapes(), |subject, shape| {
        let sound = shape.once().case(seed);
        let of_sound = run(subject, &sound)?;
        judge_presence(&sound, &of_sound)?;
        let case = broken(shape).case(seed);
        if run(subject, &case)?.number("failed_as_the_epoch") == 1 {
            return Ok(());
        }
        // Code that always fails does so for a reason of its own.
        judge_success(&sound, &of_sound)?;
        let message = "`epoch` returned an error, and `during` should return that very error, as it is. \
                       Look at what is done with the result of `epoch`.";
        Err(wrong(&case, message.to_owned()))
    })
}

fn removes_hook_on_error(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run_as = ("capture/removes-hook-on-error", seed);
    search(subject, run_as, 4, capture_shapes(), |subject, shape| {
        let case = broken(shape).case(seed);
        let captured = run(subject, &case)?;
        judge_removal(&case, &captured, "The epoch ended in an error")?;
        judge_presence(&case, &captured)
    })
}

fn refuses_unknown_modules(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run_as = ("capture/refuses-unknown-modules", seed);
    search(subject, run_as, 3, capture_shapes(), |subject, shape| {
        // Code that never runs an epoch runs none for an unknown module either.
        let case = shape.once().case(seed);
        judge_presence(&case, &run(subject, &case)?)?;
        (0..ABSENT.len()).try_for_each(|n| refuses_module(subject, &case, n))
    })
}

/// Checks that the `n`-th of the modules that the model does not have is an error before the epoch.
fn refuses_module(subject: &mut Subject<'_>, case: &Case, n: usize) -> Judged {
    let name = ABSENT.get(n).copied().unwrap_or_default();
    let mut case = case.with_size("module", MODULES.len() + n);
    case.label = format!("{}, of `{name}`, which is not there", case.label);
    let captured = run(subject, &case)?;
    let [first, second] = MODULES;
    let is_absent = format!("The modules are `{first}` and `{second}`, and there is no `{name}`");
    let look = "Look at which name `register` is asked for, at what is done with its result, and at what comes first.";
    if captured.number("failed") != 1 {
        let message = format!(
            "{is_absent}, for which `register` returns an error; `during` returned a capture. {look}"
        );
        return Err(wrong(&case, message));
    }
    if captured.number("epochs") != 0 {
        let message = format!(
            "{is_absent}, and the epoch was run all the same: an hour of training for nothing. {look}"
        );
        return Err(wrong(&case, message));
    }
    Ok(())
}

fn refuses_missing_weights(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run_as = ("capture/refuses-missing-weights", seed);
    search(subject, run_as, 3, capture_shapes(), |subject, shape| {
        let case = shape.once().case(seed);
        judge_success(&case, &run(subject, &case)?)?;
        for shape in [&shape.once(), shape] {
            let case = CaptureShape { unnamed: true, ..shape.clone() }.case(seed);
            let captured = run(subject, &case)?;
            if captured.number("failed") != 1 {
                judge_presence(&case, &captured)?;
                let message = "A call of the module showed no output `weights`, which should be an error, \
                               and `during` returned a capture. Look at which output the hook asks for, \
                               and at each step that the error takes from there: the hook hands it to \
                               the epoch, and the epoch to `during`.";
                return Err(wrong(&case, message.to_owned()));
            }
        }
        Ok(())
    })
}
