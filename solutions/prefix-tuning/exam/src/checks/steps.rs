//! Hidden checks of the loop.

use prefix_tuning_checks::signatures::NAMES;
use prefix_tuning_checks::steps;
use prefix_tuning_checks::steps::{
    INFINITE, LoopShape, NEGATIVE, Tuned, loop_shapes, patient, run, times,
};
use softmark_checks::check::wrong;
use softmark_checks::subject::{compare, finite, refuses};
use softmark_checks::{Array, Case, Check, CheckError, Judged, Outcome, Subject, mantissa, search};
use softmark_common::compare::Tolerance;
use softmark_exam::check::expected;

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
        run: patience,
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

/// Checks that a right loop's epochs took every batch once, in order.
fn judge_order(case: &Case, tuned: &Tuned) -> Judged {
    steps::judge_order(case, tuned, course(case).0)
}

/// Compares parameters `[parameters, width]`, each under its own name.
fn compare_parameters(
    case: &Case,
    (got, want): (&Array, &Array),
    tolerance: Tolerance,
    words: (&str, &str),
) -> Judged {
    let row = |of: &Array, n: usize| {
        Array::from_fn(&[of.dim(1)], |at| at.first().map_or(f64::NAN, |i| of.at(&[n, *i])))
    };
    NAMES.iter().enumerate().try_for_each(|(n, name)| {
        compare(case, name, (&row(got, n), &row(want, n)), tolerance, words)
    })
}

/// Checks that the parameters moved from where they started.
fn has_moved(case: &Case, reached: &Array, steps: &str) -> Judged {
    finite(case, "the parameters", reached)?;
    if case.get("start").differs(reached) {
        return Ok(());
    }
    let message = format!(
        "{steps}, and the parameters did not change at all. Look at which parameters the optimizers are made \
         with, and at what their steps are given."
    );
    Err(wrong(case, message))
}

/// The same shape with validation losses that go down to the end: the last epoch is the best.
pub(crate) fn falling(shape: &LoopShape) -> LoopShape {
    let n = u8::try_from(shape.losses.len()).unwrap_or(u8::MAX);
    let losses = (0..n).map(|epoch| Some(2 * (n - epoch))).collect();
    LoopShape { losses, ..patient(shape) }
}

/// The same shape with so many epochs.
pub(crate) fn of_epochs(shape: &LoopShape, epochs: usize) -> LoopShape {
    falling(&LoopShape { losses: vec![Some(1); epochs], ..shape.clone() })
}

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/matches-reference", seed), 6, loop_shapes(), |subject, shape| {
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
    })
}

/// The same question with the gradients of what learns clipped beforehand, and nothing left to clip.
fn clipped_beforehand(case: &Case) -> Case {
    let (gradients, learns, settings) =
        (case.get("gradients"), case.get("learns"), case.get("settings"));
    let clip_norm = settings.at(&[3]);
    let scale = |step: usize| {
        let learned = (0..gradients.dim(1)).filter(|&n| learns.at(&[n]) == 1.0);
        let squares = learned
            .flat_map(|n| (0..gradients.dim(2)).map(move |i| (n, i)))
            .map(|(n, i)| gradients.at(&[step, n, i]).powi(2));
        (clip_norm / (squares.sum::<f64>().sqrt() + 1e-6)).min(1.0)
    };
    let scaled = Array::from_fn(gradients.shape(), |at| match *at {
        [step, n, _] if learns.at(&[n]) == 1.0 => mantissa::single(gradients.at(at) * scale(step)),
        _ => gradients.at(at),
    });
    let open = Array::from_fn(settings.shape(), |at| match *at {
        [3] => 256.0,
        _ => settings.at(at),
    });
    case.with("gradients", scaled).with("settings", open)
}

/// Compares a loop that clips with the same loop on gradients that were clipped before: what it makes of
/// them otherwise is asked about elsewhere.
fn clipping(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/clipping", seed), 4, loop_shapes(), |subject, shape| {
        let words = (
            "The gradients' norm, taken over all that learns, is larger than `clip_norm` in every \
             step, and all gradients of a step should be scaled by the same factor: the parameters should be \
             those that your loop reaches if the gradients are scaled beforehand",
            "Look at what the norm is taken over, and at when gradients are scaled and by what.",
        );
        // From one step to the next the norm changes, which one step alone would not show: AdamW's
        // first step is the same for gradients of any size.
        let shape = of_epochs(shape, 2);
        let shape =
            LoopShape { clips: true, batches: shape.batches.max(2), silent: false, ..shape };
        let case = shape.case(seed);
        let beforehand = clipped_beforehand(&case);
        let (is, due) = (run(subject, &case)?, run(subject, &beforehand)?);
        let (reached, wanted) = (is.after(&case, 1)?, due.after(&case, 1)?);
        has_moved(&case, &reached, "Two epochs of batches with gradients were run")
            .map_err(|wrong| judge_order(&case, &is).err().unwrap_or(wrong))?;
        // Both are rounded.
        let allowed = loop_tolerance(&case) + loop_tolerance(&case);
        compare_parameters(&case, (&reached, &wanted), allowed, words)
    })
}

/// Validation losses whose best is neither the first nor the last: ordinary ones, one of exactly 0, and one
/// below 0, as a likelihood may give it.
const TURNING: [[Option<u8>; 4]; 3] = [
    [Some(9), Some(5), Some(7), Some(6)],
    [Some(7), Some(0), Some(6), Some(5)],
    [Some(3), Some(NEGATIVE), Some(0), Some(2)],
];

fn keeps_the_best(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/keeps-the-best", seed), 4, loop_shapes(), |subject, shape| {
        for losses in TURNING {
            let losses = losses.to_vec();
            let shape = LoopShape { losses, patience: 4, clips: false, ..shape.clone() };
            let words = (
                "The lowest validation loss came after the second of four epochs, and the parameters at \
                 the end should be what they were then, bit for bit",
                "Look at what is kept when there is a new best, whether it changes with the parameters \
                 afterwards, and at what is put back at the end.",
            );
            judge_kept(subject, &shape.case(seed), words)?;
        }
        Ok(())
    })
}

/// Checks that the best epoch is the right one, and that the parameters at the end are what they were when
/// its validation loss was asked for; where no epoch is the best, what they were at the start.
fn judge_kept(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    let tuned = run(subject, case)?;
    judge_best(case, &tuned).map_err(|wrong| judge_order(case, &tuned).err().unwrap_or(wrong))?;
    if let Some(last) = course(case).0.checked_sub(1) {
        let steps = "Every epoch took a step for each of its batches";
        has_moved(case, &tuned.after(case, last)?, steps)
            .map_err(|wrong| judge_order(case, &tuned).err().unwrap_or(wrong))?;
    }
    let want = match course(case).1 {
        Some(best) => tuned.after(case, best)?,
        None => case.get("start"),
    };
    compare_parameters(case, (&tuned.values, &want), Tolerance::EXACT, words)
        .map_err(|wrong| judge_order(case, &tuned).err().unwrap_or(wrong))
}

fn judge_best(case: &Case, tuned: &Tuned) -> Judged {
    let (is, due) = (tuned.best, course(case).1.map_or(-1.0, |it| it as f64));
    if is == due {
        return Ok(());
    }
    let look = "Look at the comparison that decides: what happens with the first epoch, with losses of 0 or \
                below, with equal and infinite ones, and with NaN on either side?";
    let said = |best: f64| if best < 0.0 { "none".to_owned() } else { best.to_string() };
    let message = format!(
        "The best epoch (counted from 0) should be {}, and the report says {}. {look}",
        said(due),
        said(is)
    );
    Err(wrong(case, message))
}

/// Validation losses in which a new best ends the count and equal ones are none; and some that fall without
/// coming down to the best.
const WANDERING: [[u8; 8]; 2] = [[8, 6, 7, 5, 5, 6, 7, 7], [9, 4, 8, 7, 6, 5, 5, 5]];

fn patience(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/patience", seed), 4, loop_shapes(), |subject, shape| {
        for losses in WANDERING {
            for patience in [1, 2, 3, 8] {
                let losses = losses.map(Some).to_vec();
                judge_patience(subject, &LoopShape { losses, patience, ..shape.clone() }, seed)?;
            }
        }
        Ok(())
    })
}

fn judge_patience(subject: &mut Subject<'_>, shape: &LoopShape, seed: u64) -> Judged {
    let (case, patience) = (shape.case(seed), shape.patience);
    let tuned = run(subject, &case)?;
    let (is, due) = (tuned.validated, course(&case).0);
    if is == due as f64 {
        return Ok(());
    }
    // More losses than there are epochs: what is wrong is not when the loop ends.
    if is > shape.losses.len() as f64 {
        judge_order(&case, &tuned)?;
    }
    let last = if patience == 1 {
        "the last of which set no new best".to_owned()
    } else {
        format!("the last {patience} of which set no new best")
    };
    let why = if due == shape.losses.len() { "as many as there are".to_owned() } else { last };
    let epochs = if due == 1 { "1 epoch".to_owned() } else { format!("{due} epochs") };
    let message = format!(
        "With patience {patience} the loop should end after {epochs}, {why}; it asked for the validation loss \
         {}. Look at what is counted, when it begins anew, and which comparison ends the loop.",
        times(is)
    );
    Err(wrong(&case, message))
}

/// Cases: the first, a middle and every validation loss is `NaN`; the first and every one is infinite;
/// there is no epoch at all.
fn nan_never_best(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/nan-never-best", seed), 3, loop_shapes(), |subject, shape| {
        let undefined = [
            vec![None, Some(7), Some(6)],
            vec![Some(7), None, Some(6), None],
            vec![None, None, None],
            vec![Some(INFINITE), Some(7), Some(8)],
            vec![Some(INFINITE), Some(INFINITE)],
            vec![None, Some(INFINITE), None],
            Vec::new(),
        ];
        for losses in undefined {
            // One more than there are epochs: how patience is counted is asked about elsewhere.
            let patience = losses.len() + 1;
            let shape = LoopShape { losses, patience, clips: false, ..shape.clone() };
            let case = shape.case(seed);
            let look = if course(&case).1.is_some() {
                "Look at what is kept when there is a new best, whether it changes with the parameters \
                 afterwards, and at what is put back at the end."
            } else {
                "Look at what is put back where no epoch was the best."
            };
            let claim = "A validation loss of NaN is never the best, and an infinite one is the best if no other \
                         is lower: the parameters should be those after the best epoch, or those before the \
                         first step if there is none";
            judge_kept(subject, &case, (claim, look))?;
        }
        // Code that calls nothing the best is wrong elsewhere.
        let case = falling(shape).case(seed);
        judge_best(&case, &run(subject, &case)?)
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::after_each_epoch;

    fn shape(losses: &[Option<u8>]) -> LoopShape {
        LoopShape {
            losses: losses.to_vec(),
            batches: 3,
            width: 2,
            patience: losses.len().max(1),
            prefix: true,
            clips: true,
            silent: false,
            warm_up: 1,
            data: 4,
        }
    }

    /// Both of the grader's computations agree: clipping on the way, and clipping beforehand.
    #[test]
    fn gradients_that_were_clipped_beforehand_come_to_the_same() {
        let case = shape(&[Some(9), Some(5), Some(7)]).case(1);
        let beforehand = clipped_beforehand(&case);
        assert!(case.get("gradients").differs(&beforehand.get("gradients")));
        let (a, b) = (after_each_epoch(&case), after_each_epoch(&beforehand));
        for (a, b) in a.iter().zip(&b) {
            for (x, y) in a.values().iter().zip(b.values()) {
                assert!((x - y).abs() < loop_tolerance(&case).absolute, "{x} {y}");
            }
        }
    }

    #[test]
    fn the_oracle_keeps_what_stands_after_the_best_epoch() {
        let case = shape(&[Some(9), Some(5), Some(7)]).case(1);
        let after = after_each_epoch(&case);
        assert_eq!(after.len(), 3);
        assert_eq!(oracle(&case)["values"], after[1]);
        let case = shape(&[None, None]).case(1);
        assert_eq!(oracle(&case)["values"], case.get("start"));
        assert!(after_each_epoch(&shape(&[]).case(1)).is_empty());
    }
}
