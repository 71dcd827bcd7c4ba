//! Hidden checks of the loop.

use softmark_checks::check::wrong;
use softmark_checks::subject::compare;
use softmark_checks::tuning::steps::{LoopShape, course, loop_shapes, patient, run};
use softmark_checks::{Array, Case, CheckError, Judged, Outcome, Subject, search};

use crate::suite::tuning::oracle::{loop_tolerance, oracle};

/// Holds the parameters at the loop's end against the oracle's.
fn right(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    let tuned = run(subject, case)?;
    let mut expected = oracle(case);
    let want = expected.remove("values").unwrap_or_else(|| Array::new(&[0], Vec::new()));
    compare(case, "values", (&tuned.values, &want), loop_tolerance(case), words)
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

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("loop/matches-reference", seed);
    search(subject, run, 6, loop_shapes(), |subject, shape| {
        let words = (
            "With gradients too small to be clipped and a validation loss that falls to the end, the \
             parameters should be what AdamW makes of the gradients, with the learning rates of the \
             formula",
            "Write down the learning rate of every step and compare it with the formula; look at how \
             many optimizers there are, and at what they are told.",
        );
        right(subject, &LoopShape { clips: false, ..falling(shape) }.case(seed), words)
    })
}

pub(crate) fn clipping(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/clipping", seed), 4, loop_shapes(), |subject, shape| {
        let words = (
            "The gradients' norm, taken over all that learns, is larger than `clip_norm` in every \
             step, and each gradient should be scaled by the same factor",
            "Look at what the norm is taken over, and at when gradients are scaled and by what.",
        );
        // From one step to the next the norm changes, which one step alone would not show: AdamW's
        // first step is the same for gradients of any size.
        let shape = of_epochs(shape, 2);
        let shape =
            LoopShape { clips: true, batches: shape.batches.max(2), silent: false, ..shape };
        right(subject, &shape.case(seed), words)
    })
}

/// Validation losses whose best is neither the first nor the last.
const TURNING: [Option<u8>; 4] = [Some(9), Some(5), Some(7), Some(6)];

pub(crate) fn keeps_the_best(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/keeps-the-best", seed), 4, loop_shapes(), |subject, shape| {
        let losses = TURNING.to_vec();
        let shape = LoopShape { losses, patience: 4, clips: false, ..shape.clone() };
        let case = shape.case(seed);
        judge_best(subject, &case)?;
        let words = (
            "The lowest validation loss came after the second of four epochs, and the parameters at \
             the end should be what they were then",
            "Look at what is kept when there is a new best, whether it changes with the parameters \
             afterwards, and at what is put back at the end.",
        );
        right(subject, &case, words)
    })
}

fn judge_best(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let (is, due) = (run(subject, case)?.best, course(case).1.map_or(-1.0, |it| it as f64));
    if is == due {
        return Ok(());
    }
    let look = "Look at the comparison that decides: what happens with the first epoch, with equal \
                losses, and with NaN on either side?";
    let said = |best: f64| {
        if best < 0.0 { "none".to_owned() } else { format!("epoch {best}, counted from 0") }
    };
    let message =
        format!("The best epoch should be {}, and the report says {}. {look}", said(due), said(is));
    Err(wrong(case, message))
}

pub(crate) fn patience(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/patience", seed), 4, loop_shapes(), |subject, shape| {
        // A new best ends the count; equal losses are none.
        let losses = [8, 6, 7, 5, 5, 6, 7, 7].map(Some).to_vec();
        for patience in [1, 2, 3, 8] {
            let shape = LoopShape { losses: losses.clone(), patience, ..shape.clone() };
            let case = shape.case(seed);
            let (is, due) = (run(subject, &case)?.validated, course(&case).0);
            if is != due as f64 {
                let message = format!(
                    "With patience {patience} the loop should end after {due} epochs: as soon as so \
                     many in a row bring no new best, or when there are no more. It carried out {is}. \
                     Look at what is counted, when it begins anew, and which comparison ends the loop."
                );
                return Err(wrong(&case, message));
            }
        }
        Ok(())
    })
}

/// Where the first, one in the middle, and every validation loss is `NaN`.
pub(crate) fn nan_never_best(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/nan-never-best", seed), 3, loop_shapes(), |subject, shape| {
        let undefined = [
            vec![None, Some(7), Some(6)],
            vec![Some(7), None, Some(6), None],
            vec![None, None, None],
        ];
        for losses in undefined {
            let patience = losses.len();
            let shape = LoopShape { losses, patience, clips: false, ..shape.clone() };
            let case = shape.case(seed);
            judge_best(subject, &case)?;
            let words = (
                "A validation loss of NaN is never the best: the parameters should be those after \
                 the best epoch, or those before the first step where there is none",
                "Look at what is put back where no epoch was the best.",
            );
            right(subject, &case, words)?;
        }
        // Code that calls nothing the best is wrong elsewhere.
        let case = falling(shape).case(seed);
        judge_best(subject, &case)
    })
}
