//! Hidden checks of the best epoch and of the end of the loop.

use prefix_tuning_checks::steps::{INFINITE, LoopShape, NEGATIVE, Tuned, loop_shapes, run, times};
use softmark_checks::check::wrong;
use softmark_checks::subject::compare;
use softmark_checks::words::count;
use softmark_checks::{Array, Case, CheckError, Judged, Outcome, Subject, search};
use softmark_common::compare::Tolerance;

use crate::checks::loop_runs::{compare_parameters, falling, has_moved, judge_order, of_epochs};
use crate::course::{LOWERED_BY, course};
use crate::oracle::loop_tolerance;

/// Validation losses whose best is neither the first nor the last: ordinary ones, one of exactly 0, and one
/// below 0, as a likelihood may give it.
const TURNING: [[Option<u8>; 4]; 3] = [
    [Some(9), Some(5), Some(7), Some(6)],
    [Some(7), Some(0), Some(6), Some(5)],
    [Some(3), Some(NEGATIVE), Some(0), Some(2)],
];

pub(super) fn keeps_the_best(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
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
        let shape = LoopShape { clips: false, ..shape.clone() };
        judge_course(subject, &shape, seed)?;
        judge_close(subject, &shape, seed)?;
        ENDED.iter().try_for_each(|ended| judge_ended(subject, &shape, (ended, seed)))
    })
}

/// Validation losses and patiences with which the loop ends before its last epoch, after a best epoch that is not the
/// last one that it ran.
const ENDED: [Counted; 2] = [
    Counted { losses: &[Some(9), Some(5), Some(7), Some(4)], patience: 1 },
    Counted { losses: &[Some(9), Some(5), Some(7), Some(6), Some(4)], patience: 2 },
];

/// Checks what a loop that patience ended leaves behind and reports. A loop that ends elsewhere is for `loop/patience`.
fn judge_ended(
    subject: &mut Subject<'_>,
    shape: &LoopShape,
    (ended, seed): (&Counted, u64),
) -> Judged {
    let (losses, patience) = (ended.losses.to_vec(), ended.patience);
    let case = LoopShape { losses, patience, ..shape.clone() }.case(seed);
    let (tuned, due) = (run(subject, &case)?, course(&case).0);
    if tuned.validated != due as f64 {
        return Ok(());
    }
    let words = (
        "Patience ends the loop before its last epoch here, and the parameters at the end should be those after the \
         best epoch, bit for bit",
        "Look at every way out of the loop, and at what is put back on each.",
    );
    judge_kept(subject, &case, words)?;
    let words = (
        "Patience ends the loop before its last epoch here, and the report should have the validation loss of each \
         epoch that was run, in order",
        "Look at every way out of the loop, and at what is reported on each.",
    );
    let ran: Vec<f64> = case.get("losses").values().iter().take(due).copied().collect();
    let want = Array::new(&[due], ran);
    if tuned.losses.shape() != want.shape() {
        let message = format!(
            "{}: it ran {}, and the report has {}. {}",
            words.0,
            count(due, "epoch", "epochs"),
            count(tuned.losses.values().len(), "loss", "losses"),
            words.1
        );
        return Err(wrong(&case, message));
    }
    compare(&case, "validation_losses", (&tuned.losses, &want), Tolerance::EXACT, words)
}

/// Validation losses of which one is no new best and the last is.
const RECOVERING: [&[u8]; 2] = [&[6, 8, 4], &[9, 7, 8, 5]];

/// Checks that nothing but the steps changes the parameters before the loop ends: after an epoch without a new
/// best, the next steps lead where they lead if the losses fall.
fn judge_course(subject: &mut Subject<'_>, shape: &LoopShape, seed: u64) -> Judged {
    for losses in RECOVERING {
        let (epochs, last) = (losses.len(), losses.len() - 1);
        let losses = losses.iter().copied().map(Some).collect();
        let case = LoopShape { losses, patience: epochs + 1, ..shape.clone() }.case(seed);
        let down = of_epochs(shape, epochs).case(seed);
        let (is, due) = (run(subject, &case)?, run(subject, &down)?);
        let (reached, wanted) = (is.after(&case, last)?, due.after(&down, last)?);
        let words = (
            "One epoch sets no new best here, and the loop goes on: the parameters after the steps of the last \
             epoch should be those that your loop reaches if each validation loss is lower than the one before",
            "Look at what changes the parameters besides the steps of the optimizer, and when.",
        );
        // Both are rounded.
        let allowed = loop_tolerance(&case) + loop_tolerance(&case);
        compare_parameters(&case, (&reached, &wanted), allowed, words)
            .map_err(|wrong| judge_order(&case, &is).err().unwrap_or(wrong))?;
    }
    Ok(())
}

/// Checks that a loss that is lower by a billionth is a new best.
fn judge_close(subject: &mut Subject<'_>, shape: &LoopShape, seed: u64) -> Judged {
    let losses = vec![Some(5), Some(5), Some(7)];
    let case = LoopShape { losses, patience: 4, ..shape.clone() }.case(seed);
    let mut lowered = case.with_size("lowered_loss", 2);
    lowered.label = format!("{}, the second of them lower by {LOWERED_BY:e}", case.label);
    let words = (
        "The second validation loss is lower than the first by a billionth, and the third is higher: the \
         parameters at the end should be those after the second epoch, bit for bit",
        "Look at the comparison that decides which epoch is the best.",
    );
    judge_kept(subject, &lowered, words)
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
                below, with equal, nearly equal and infinite ones, and with NaN on either side?";
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

pub(super) fn ends_after_patience(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
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
pub(super) fn nan_never_best(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
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
        judge_best(&case, &run(subject, &case)?)?;
        COUNTED.iter().try_for_each(|counted| judge_counted(subject, (shape, seed), counted))
    })
}

/// Validation losses and a patience with which the loop ends early.
struct Counted {
    losses: &'static [Option<u8>],
    patience: usize,
}

/// Cases in which an epoch whose loss is `NaN` counts as one without a new best: alone, before and after others,
/// between others, and before there is a best.
const COUNTED: [Counted; 5] = [
    Counted { losses: &[Some(7), None, Some(6)], patience: 1 },
    Counted { losses: &[Some(7), None, Some(8), Some(6)], patience: 2 },
    Counted { losses: &[Some(7), Some(8), None, Some(6)], patience: 2 },
    Counted { losses: &[Some(7), None, Some(8), None, Some(6), Some(5)], patience: 3 },
    Counted { losses: &[None, None, Some(6)], patience: 2 },
];

/// Loss of the first epoch that has one in [`COUNTED`].
const FIRST: Option<u8> = Some(7);

/// Returns the losses with [`FIRST`] in place of `NaN`, which is no new best either: if there is none before, one is
/// put there.
fn with_numbers(losses: &[Option<u8>]) -> Vec<Option<u8>> {
    let before = losses.first().is_some_and(Option::is_none).then_some(FIRST);
    before.into_iter().chain(losses.iter().map(|loss| loss.or(FIRST))).collect()
}

/// Checks that an epoch whose loss is `NaN` counts as one without a new best. A loop that counts wrongly where
/// all losses are numbers fails another check.
fn judge_counted(
    subject: &mut Subject<'_>,
    (shape, seed): (&LoopShape, u64),
    counted: &Counted,
) -> Judged {
    let (losses, patience) = (counted.losses.to_vec(), counted.patience);
    let shape = LoopShape { losses, patience, clips: false, ..shape.clone() };
    let numbers = LoopShape { losses: with_numbers(&shape.losses), ..shape.clone() }.case(seed);
    if run(subject, &numbers)?.validated != course(&numbers).0 as f64 {
        return Ok(());
    }
    let case = shape.case(seed);
    let (is, due) = (run(subject, &case)?.validated, course(&case).0);
    if is == due as f64 {
        return Ok(());
    }
    let message = format!(
        "A validation loss of NaN is no new best, so its epoch counts: with patience {patience} the loop should \
         end after {}, and it asked for the validation loss {}. Look at what becomes of the count of epochs where \
         a loss is NaN.",
        count(due, "epoch", "epochs"),
        times(is)
    );
    Err(wrong(&case, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{after_each_epoch, oracle};

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

    #[test]
    fn every_loop_with_undefined_losses_ends_early() {
        for counted in COUNTED {
            let losses = counted.losses.to_vec();
            for losses in [with_numbers(&losses), losses] {
                let case = LoopShape { patience: counted.patience, ..shape(&losses) }.case(1);
                assert!(course(&case).0 < losses.len(), "{}", case.label);
            }
        }
    }

    #[test]
    fn every_loop_that_patience_ends_goes_on_after_its_best_epoch() {
        for ended in ENDED {
            let case = LoopShape { patience: ended.patience, ..shape(ended.losses) }.case(1);
            let (epochs, best) = course(&case);
            assert!(epochs < ended.losses.len() && best.is_some_and(|best| best + 1 < epochs));
        }
    }

    #[test]
    fn a_loss_that_is_lower_by_a_billionth_is_the_best() {
        let case = shape(&[Some(5), Some(5), Some(7)]).case(1);
        assert_eq!(course(&case), (3, Some(0)));
        assert_eq!(course(&case.with_size("lowered_loss", 2)), (3, Some(1)));
    }
}
