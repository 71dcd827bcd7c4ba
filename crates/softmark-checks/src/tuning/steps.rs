//! Task 3, the loop: what is true of any right one.

use proptest::prelude::*;
use softmark_kit::compare::Tolerance;
use softmark_kit::rng::Stream;

use crate::array::Array;
use crate::case::Case;
use crate::check::{Check, CheckError, Judged, Stop, wrong};
use crate::corners::Corners;
use crate::outcome::Outcome;
use crate::search::search;
use crate::subject::{Subject, compare};
use crate::words::count;

/// From the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "loop/every-batch",
        title: "each epoch takes every batch once, in order, and then looks at the validation loss",
        run: every_batch,
    },
    Check {
        id: "loop/frozen-stays",
        title: "what does not learn stays as it was, bit for bit, and what learns does not",
        run: frozen_stays,
    },
];

/// The parameters of the problems, in the order of their names.
pub const NAMES: [&str; 5] = [
    "base.layers.0.norm1.weight",
    "base.layers.1.norm1.weight",
    "classifier.bias",
    "classifier.weight",
    "prefix",
];

/// Which of them are tuned, in the order of [`NAMES`]: a prefix and the head, or a layer and the head.
#[must_use]
pub fn tuned(prefix: bool) -> [f64; 5] {
    if prefix { [0.0, 0.0, 1.0, 1.0, 1.0] } else { [0.0, 1.0, 1.0, 1.0, 0.0] }
}

/// A problem with given gradients and validation losses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct LoopShape {
    /// The validation loss of each epoch, in eighths; `None` is `NaN`.
    pub losses: Vec<Option<u8>>,
    /// Batches of an epoch.
    pub batches: usize,
    /// Numbers of a parameter.
    pub width: usize,
    /// Epochs without a new best.
    pub patience: usize,
    /// Whether a prefix and a head learn, and not a layer and a head.
    pub prefix: bool,
    /// Whether gradients are larger than what they are clipped to.
    pub clips: bool,
    /// Whether frozen parameters have gradients of zero, and not others.
    pub silent: bool,
    /// Whether half of the steps are warm-up, and not a quarter.
    pub slow: bool,
    /// Which random numbers.
    pub data: u64,
}

impl LoopShape {
    /// The question.
    pub fn case(&self, seed: u64) -> Case {
        let Self { ref losses, batches, width, patience, data, .. } = *self;
        let (epochs, learns) = (losses.len(), tuned(self.prefix));
        let kind = if self.prefix { "prefix and head learn" } else { "a layer and a head learn" };
        let clipped = if self.clips { ", clipped" } else { "" };
        let told: Vec<String> = losses
            .iter()
            .map(|loss| loss.map_or("NaN".to_owned(), |it| (f64::from(it) / 8.0).to_string()))
            .collect();
        let label = format!(
            "{} of {}, patience {patience}, {kind}{clipped}, validation losses {}",
            count(epochs, "epoch", "epochs"),
            count(batches, "batch", "batches"),
            told.join(" ")
        );
        let random = |shape: &[usize], name: &str| {
            Array::random(shape, &mut Stream::derive(seed, name, data))
        };
        let drawn = random(&[epochs * batches, NAMES.len(), width], "gradients");
        let gradients = Array::from_fn(drawn.shape(), |at| match *at {
            [_, n, _] if self.silent && learns.get(n) == Some(&0.0) => 0.0,
            // None is near zero, so that no step hangs on the last bit of one.
            _ => drawn.at(at) + if drawn.at(at) < 0.0 { -0.5 } else { 0.5 },
        });
        let losses = losses.iter().map(|loss| loss.map_or(f64::NAN, |it| f64::from(it) / 8.0));
        let warm_up = if self.slow { 0.5 } else { 0.25 };
        let clip_norm = if self.clips { 0.5 } else { 256.0 };
        Case::new("loop", label)
            .size("epochs", epochs)
            .size("batches", batches)
            .size("patience", patience)
            .input("start", random(&[NAMES.len(), width], "start").map(|x| x + 3.0))
            .input("gradients", gradients)
            .input("losses", Array::new(&[epochs], losses.collect()))
            .input("settings", Array::new(&[4], vec![0.0625, warm_up, 0.25, clip_norm]))
            .mask_called("learns", Array::new(&[NAMES.len()], learns.to_vec()))
    }
}

/// Four epochs of three batches that go down, and a fifth that goes up, clipped and not.
impl Corners for LoopShape {
    fn corners(&self) -> Vec<Self> {
        let of = |prefix: bool| Self {
            losses: vec![Some(16), Some(12), Some(9), Some(6), Some(8)],
            batches: 3,
            width: 2,
            patience: 2,
            prefix,
            clips: prefix,
            silent: !prefix,
            slow: prefix,
            data: self.data,
        };
        vec![of(false), of(true)]
    }
}

/// Problems of up to four epochs whose validation losses are numbers.
pub fn loop_shapes() -> impl Strategy<Value = LoopShape> {
    let losses = prop::collection::vec((1..=32_u8).prop_map(Some), 1..=4);
    let sizes = (1..=3_usize, 1..=3_usize, 1..=3_usize);
    let switches = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (losses, sizes, switches, any::<u64>().no_shrink()).prop_map(
        |(losses, (batches, width, patience), (prefix, clips, silent, slow), data)| LoopShape {
            losses,
            batches,
            width,
            patience,
            prefix,
            clips,
            silent,
            slow,
            data,
        },
    )
}

/// What came of a loop.
#[derive(Debug)]
pub struct Tuned {
    /// The parameters at its end, `[parameters, width]`.
    pub values: Array,
    /// The batches that were asked for, in their order.
    pub visited: Array,
    /// How often the validation loss was looked at.
    pub validated: f64,
    /// The validation losses that were reported.
    pub losses: Array,
    /// The best epoch, −1 for none.
    pub best: f64,
}

/// Runs the loop.
///
/// # Errors
///
/// The verdict, where no answer came.
pub fn run(subject: &mut Subject<'_>, case: &Case) -> Result<Tuned, Stop> {
    let answer = subject.forward(case)?;
    let length = |name: &str| answer.tensor(name).map_or(0, |it| it.shape().iter().product());
    Ok(Tuned {
        values: answer.get(case, "values", case.get("start").shape())?,
        visited: answer.get(case, "visited", &[length("visited")])?,
        validated: answer.get(case, "validated", &[1])?.at(&[0]),
        losses: answer.get(case, "validation_losses", &[length("validation_losses")])?,
        best: answer.get(case, "best", &[1])?.at(&[0]),
    })
}

/// The epochs that a right loop carries out, and the best of them.
#[must_use]
pub fn course(case: &Case) -> (usize, Option<usize>) {
    let (losses, patience) = (case.get("losses"), case.get_size("patience"));
    let mut best: Option<(usize, f64)> = None;
    for (epoch, &loss) in losses.values().iter().enumerate() {
        if !loss.is_nan() && best.is_none_or(|(_, lowest)| loss < lowest) {
            best = Some((epoch, loss));
        }
        let since = best.map_or(epoch + 1, |(at, _)| epoch - at);
        if since >= patience {
            return (epoch + 1, best.map(|(at, _)| at));
        }
    }
    (losses.values().len(), best.map(|(at, _)| at))
}

/// The question with as much patience as there are epochs.
#[must_use]
pub fn patient(shape: &LoopShape) -> LoopShape {
    LoopShape { patience: shape.losses.len().max(1), ..shape.clone() }
}

fn every_batch(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/every-batch", seed), 4, loop_shapes(), |subject, shape| {
        let case = patient(shape).case(seed);
        let tuned = run(subject, &case)?;
        let (epochs, batches) = (shape.losses.len(), shape.batches);
        let order: Vec<f64> =
            (0..epochs).flat_map(|_| (0..batches).map(|batch| batch as f64)).collect();
        let look = "Look at the two loops, and at where the validation loss is asked for.";
        if tuned.visited.values() != order {
            let message = format!(
                "The recipe has {} and the problem {}, with patience for all of them: the batches \
                 should be asked for in the order {order:?}, and were in {:?}. {look}",
                count(epochs, "epoch", "epochs"),
                count(batches, "batch", "batches"),
                tuned.visited.values()
            );
            return Err(wrong(&case, message));
        }
        if tuned.validated != epochs as f64 {
            let message = format!(
                "The validation loss should be computed once after each of {}; times that it was \
                 computed: {}. {look}",
                count(epochs, "epoch", "epochs"),
                tuned.validated
            );
            return Err(wrong(&case, message));
        }
        let words = ("The report should have the validation loss of each epoch, in order", look);
        let want = case.get("losses");
        if tuned.losses.shape() != want.shape() {
            let is = tuned.losses.values().len();
            return Err(wrong(&case, format!("{}; there are {is}. {look}", words.0)));
        }
        compare(&case, "validation_losses", (&tuned.losses, &want), Tolerance::EXACT, words)
    })
}

fn frozen_stays(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/frozen-stays", seed), 4, loop_shapes(), |subject, shape| {
        for silent in [false, true] {
            let case = LoopShape { silent, ..patient(shape) }.case(seed);
            judge_frozen(subject, &case)?;
        }
        Ok(())
    })
}

fn judge_frozen(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let tuned = run(subject, case)?;
    let (start, learns) = (case.get("start"), case.get("learns"));
    let same = |n: usize| {
        (0..start.dim(1)).all(|i| tuned.values.at(&[n, i]).to_bits() == start.at(&[n, i]).to_bits())
    };
    for (n, name) in NAMES.iter().enumerate() {
        if learns.at(&[n]) == 0.0 && !same(n) {
            let message = format!(
                "`{name}` does not learn (`learns` says so), and it went from {} to {}. Look at \
                 which parameters are handed to the optimizer: what it is handed it changes, by \
                 weight decay even where the gradient is zero.",
                start.at(&[n, 0]),
                tuned.values.at(&[n, 0])
            );
            return Err(wrong(case, message));
        }
        if learns.at(&[n]) == 1.0 && same(n) {
            let message = format!(
                "`{name}` learns, has a gradient in every step, and is what it was before the first. \
                 Look at which parameters are handed to the optimizer, and at what is put back."
            );
            return Err(wrong(case, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
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
            slow: false,
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
    }
}
