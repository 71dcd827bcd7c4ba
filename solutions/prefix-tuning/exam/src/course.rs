//! The course of a correct training loop.

use softmark_checks::Case;

/// Difference between the loss of the epoch `lowered_loss` and the loss that the case says.
pub(crate) const LOWERED_BY: f64 = 1e-9;

/// Returns the number of epochs that a correct loop runs, and the best epoch.
pub(crate) fn course(case: &Case) -> (usize, Option<usize>) {
    let (losses, patience) = (losses(case), case.get_size("patience"));
    let mut best: Option<(usize, f64)> = None;
    for (epoch, &loss) in losses.iter().enumerate() {
        if !loss.is_nan() && best.is_none_or(|(_, lowest)| loss < lowest) {
            best = Some((epoch, loss));
        }
        let since = best.map_or(epoch + 1, |(at, _)| epoch - at);
        if since >= patience {
            return (epoch + 1, best.map(|(at, _)| at));
        }
    }
    (losses.len(), best.map(|(at, _)| at))
}

/// Returns the validation losses that the loop gets: one of them may be lower than the case says.
fn losses(case: &Case) -> Vec<f64> {
    let (losses, lowered) = (case.get("losses"), case.get_size("lowered_loss"));
    let each = losses.values().iter().enumerate();
    each.map(|(epoch, loss)| if epoch + 1 == lowered { loss - LOWERED_BY } else { *loss }).collect()
}

#[cfg(test)]
mod tests {
    use prefix_tuning_checks::steps::{INFINITE, LoopShape, NEGATIVE};

    use super::*;

    fn course_of(losses: &[Option<u8>], patience: usize) -> (usize, Option<usize>) {
        let shape = LoopShape {
            losses: losses.to_vec(),
            batches: 1,
            width: 1,
            patience,
            prefix: false,
            clips: false,
            silent: false,
            warm_up: 1,
            data: 0,
        };
        course(&shape.case(1))
    }

    #[test]
    fn the_course_is_that_of_the_documentation() {
        assert_eq!(course_of(&[Some(3), Some(2), Some(4), Some(1)], 2), (4, Some(3)));
        assert_eq!(course_of(&[Some(3), Some(2), Some(4), Some(1)], 1), (3, Some(1)));
        assert_eq!(course_of(&[Some(2), Some(2), Some(2)], 2), (3, Some(0)));
        assert_eq!(course_of(&[None, Some(2), None], 2), (3, Some(1)));
        assert_eq!(course_of(&[None, None, Some(1)], 2), (2, None));
        assert_eq!(course_of(&[Some(INFINITE), Some(INFINITE)], 2), (2, Some(0)));
        assert_eq!(course_of(&[None, Some(INFINITE), Some(7)], 2), (3, Some(2)));
        assert_eq!(course_of(&[], 2), (0, None));
        assert_eq!(course_of(&[Some(7), Some(0), Some(6)], 3), (3, Some(1)));
        assert_eq!(course_of(&[Some(3), Some(NEGATIVE), Some(0)], 3), (3, Some(1)));
    }
}
