//! Hidden checks of the loop.

use prefix_tuning_checks::steps::{LoopShape, loop_shapes, run};
use softmark_checks::check::if_passed;
use softmark_checks::subject::refuses;
use softmark_checks::{Array, Case, Check, CheckError, Judged, Outcome, Subject, search};
use softmark_exam::check::expected;

use crate::checks::FIXED;
use crate::checks::clipping::clipping;
use crate::checks::early_stopping::{ends_after_patience, keeps_the_best, nan_never_best};
use crate::checks::loop_runs::{compare_parameters, falling, judge_order, of_epochs};
use crate::course::course;
use crate::oracle::{loop_tolerance, oracle};

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "loop/matches-reference",
        title: "every step is that of AdamW with the learning rate of the formula",
        run: matches_reference,
    },
    Check {
        id: "loop/clipping",
        title: "gradients are clipped by the norm of all that learns",
        run: clipping,
    },
    Check {
        id: "loop/keeps-the-best",
        title: "at the end the parameters are those of the best epoch",
        run: keeps_the_best,
    },
    Check {
        id: "loop/patience",
        title: "the loop ends when there was no new best for long enough",
        run: ends_after_patience,
    },
    Check {
        id: "loop/nan-never-best",
        title: "a validation loss of NaN is never the best, and an infinite one may be",
        run: nan_never_best,
    },
    Check {
        id: "loop/passes-errors",
        title: "an error of the problem is returned",
        run: passes_errors,
    },
];

/// Checks the parameters that learn after the last epoch that a right loop runs against the oracle's; where
/// they are others because other batches were asked for, says that.
fn right(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    let tuned = run(subject, case)?;
    let (learns, last) = (case.get("learns"), course(case).0.saturating_sub(1));
    let of_learned = |all: &Array| {
        Array::from_fn(all.shape(), |at| match *at {
            [n, _] if learns.at(&[n]) == 1.0 => all.at(at),
            _ => 0.0,
        })
    };
    let expected = expected(case, oracle)?;
    let after = |epoch: usize, looks: &Array| {
        Array::from_fn(case.get("start").shape(), |at| looks.at(&[&[epoch], at].concat()))
    };
    let looks = expected.get("looks").filter(|looks| looks.dim(0) > 0);
    let want = of_learned(&looks.map_or_else(|| case.get("start"), |looks| after(last, looks)));
    let got = of_learned(&tuned.after(case, last)?);
    compare_parameters(case, (&got, &want), loop_tolerance(case), words)
        .map_err(|wrong| judge_order(case, &tuned).err().unwrap_or(wrong))
}

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("loop/matches-reference", seed);
    let found = search(subject, run, 6, loop_shapes(), |subject, shape| {
        let words = (
            "With gradients too small to be clipped, the parameters after the last epoch should be what \
             AdamW makes of the gradients, with the learning rates of the formula",
            "Write down the learning rate of every step and compare it with the formula; look at how \
             many optimizers there are, at what they are made with, and at whether the gradients reach them \
             unscaled.",
        );
        // Without warm-up, with some, and with nothing else.
        [shape.warm_up, 0, 4].into_iter().try_for_each(|warm_up| {
            let shape = LoopShape { clips: false, warm_up, ..falling(shape) };
            right(subject, &shape.case(seed), words)
        })
    })?;
    if_passed(found, || {
        let words = (
            "A quarter of five steps is 1.25, so two of them are warm-up: the parameters after the last epoch should \
             be what AdamW makes of the gradients, with the learning rates of the formula",
            "Look at how the number of warm-up steps becomes a whole number.",
        );
        right(subject, &five_steps().case(FIXED), words)?;
        let words = (
            "The gradients are about 1e-5 here, so that the ε of AdamW, 1e-8, counts in the steps",
            "Look at the ε that the optimizer is made with.",
        );
        right(subject, &faint(&five_steps().case(FIXED)), words)
    })
}

/// Five epochs of one batch, whose losses fall; a quarter of the steps is warm-up.
fn five_steps() -> LoopShape {
    falling(&LoopShape {
        losses: vec![Some(1); 5],
        batches: 1,
        width: 2,
        patience: 5,
        prefix: true,
        clips: false,
        silent: false,
        warm_up: 1,
        data: 0,
    })
}

/// The case with gradients of 7e-6 to 3e-5. An `ε` of 1e-8 shortens a step by a thousandth at most, and one of 1e-7
/// by three thousandths at least, which is ten times the tolerance.
fn faint(case: &Case) -> Case {
    let gradients = case.get("gradients").map(|g| g / 65536.0);
    let mut faint = case.with("gradients", gradients);
    faint.label = format!("{}, gradients divided by 65536", case.label);
    faint
}

fn passes_errors(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/passes-errors", seed), 3, loop_shapes(), |subject, shape| {
        let shape = of_epochs(shape, 2);
        let fitting = LoopShape { batches: shape.batches.max(2), ..shape }.case(seed);
        // Of a batch in the first epoch, of one in the last, and of the validation after each.
        let (batches, epochs) = (fitting.get_size("batches"), fitting.get_size("epochs"));
        for (of, n, what) in [
            ("failing_loss", 2, "the loss of the second batch"),
            ("failing_loss", epochs * batches, "the loss of the last batch"),
            ("failing_validation", 1, "the first validation loss"),
            ("failing_validation", epochs, "the last validation loss"),
        ] {
            let mut failing = fitting.with_size(of, n);
            failing.label = format!("{what} ends in an error; {}", fitting.label);
            let claim =
                format!("In this problem, {what} ends in an error, which `tune` should return");
            let look = "Look at what is done with the results of `loss` and `validation_loss`.";
            refuses(subject, (&fitting, &failing), (&claim, look))?;
        }
        Ok(())
    })
}
