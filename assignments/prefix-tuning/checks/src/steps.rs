//! Task 3, the loop: properties of every correct implementation.

use proptest::prelude::*;
use softmark_checks::array::{Array, short, short_pair};
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, wrong};
use softmark_checks::corners::Corners;
use softmark_checks::mantissa;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare};
use softmark_checks::words::count;
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::signatures::{self, NAMES};

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "loop/every-batch",
        title: "each epoch takes every batch once, in order, and then asks for the validation loss",
        run: every_batch,
    },
    Check {
        id: "loop/frozen-stays",
        title: "what does not learn stays as it was, bit for bit, and what learns does not",
        run: frozen_stays,
    },
];

/// Returns 1 for each tuned parameter and 0 for the others, in the order of [`NAMES`]: a prefix and the head
/// are tuned, or a layer and the head.
#[must_use]
pub fn tuned(prefix: bool) -> [f64; 7] {
    if prefix { [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0] } else { [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0] }
}

/// A validation loss that is infinite, among those in eighths.
pub const INFINITE: u8 = u8::MAX;

/// A validation loss of −1, among those in eighths.
pub const NEGATIVE: u8 = u8::MAX - 1;

/// A problem with given gradients and validation losses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct LoopShape {
    /// The validation loss of each epoch, in eighths; [`INFINITE`] is infinity, [`NEGATIVE`] is −1 and `None` is
    /// `NaN`.
    pub losses: Vec<Option<u8>>,
    /// Number of batches per epoch.
    pub batches: usize,
    /// Number of values of a parameter.
    pub width: usize,
    /// Epochs without a new best.
    pub patience: usize,
    /// True if a prefix and a head learn, and not a layer and a head.
    pub prefix: bool,
    /// True if gradients are larger than what they are clipped to.
    pub clips: bool,
    /// True if frozen parameters have gradients of zero, and not others.
    pub silent: bool,
    /// Share of the steps that are warm-up, in quarters.
    pub warm_up: u8,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

/// Peak learning rate.
const RATE: f64 = 0.0625;

/// Weight decay.
const DECAY: f64 = 0.25;

/// Converts a validation loss in eighths to its value.
fn loss_of(eighths: Option<u8>) -> f64 {
    match eighths {
        None => f64::NAN,
        Some(INFINITE) => f64::INFINITY,
        Some(NEGATIVE) => -1.0,
        Some(n) => f64::from(n) / 8.0,
    }
}

impl LoopShape {
    /// Returns the norm to which gradients are clipped.
    fn clip_norm(&self) -> f64 {
        if self.clips { 0.5 } else { 256.0 }
    }

    fn label(&self) -> String {
        let epochs = count(self.losses.len(), "epoch", "epochs");
        let batches = count(self.batches, "batch", "batches");
        let kind =
            if self.prefix { "a prefix and a head learn" } else { "a layer and a head learn" };
        let told: Vec<String> = self.losses.iter().map(|it| loss_of(*it).to_string()).collect();
        let told = if told.is_empty() { "none".to_owned() } else { told.join(" ") };
        format!(
            "{epochs} of {batches}, patience {}, learning rate {RATE}, warm-up {}, weight decay {DECAY}, \
             clip norm {}; {kind}; validation losses {told}",
            self.patience,
            f64::from(self.warm_up) / 4.0,
            self.clip_norm(),
        )
    }

    /// Returns the case.
    pub fn case(&self, seed: u64) -> Case {
        let Self { ref losses, batches, width, patience, data, .. } = *self;
        let (epochs, learns) = (losses.len(), tuned(self.prefix));
        let stream = |name: &str| Stream::derive(seed, name, data);
        let shape = [epochs * batches, NAMES.len(), width];
        let drawn = Array::random(&shape, &mut stream("gradients"));
        let gradients = Array::from_fn(drawn.shape(), |at| match *at {
            [_, n, _] if self.silent && learns.get(n) == Some(&0.0) => 0.0,
            // No gradient is near zero, so that no step depends on the last bit of one.
            _ => drawn.at(at) + if drawn.at(at) < 0.0 { -0.5 } else { 0.5 },
        });
        let start = mantissa::between(&[NAMES.len(), width], [1.0, 5.0], &mut stream("start"));
        let losses = losses.iter().map(|it| loss_of(*it));
        let warm_up = f64::from(self.warm_up) / 4.0;
        let settings = vec![RATE, warm_up, DECAY, self.clip_norm()];
        Case::new(&signatures::LOOP, self.label())
            .size("epochs", epochs)
            .size("batches", batches)
            .size("patience", patience)
            .size("failing_loss", 0)
            .size("failing_validation", 0)
            .size("lowered_loss", 0)
            .input("start", start)
            .input("gradients", gradients)
            .input("losses", Array::new(&[epochs], losses.collect()))
            .input("settings", Array::new(&[4], settings))
            .mask_called("learns", Array::new(&[NAMES.len()], learns.to_vec()))
    }
}

/// Four epochs of three batches that go down, and a fifth that goes up, clipped and not.
impl Corners for LoopShape {
    fn corners(&self) -> Vec<Self> {
        vec![corner(false, self.data), corner(true, self.data)]
    }
}

fn corner(prefix: bool, data: u64) -> LoopShape {
    LoopShape {
        losses: vec![Some(16), Some(12), Some(9), Some(6), Some(8)],
        batches: 3,
        width: 2,
        patience: 2,
        prefix,
        clips: prefix,
        silent: !prefix,
        warm_up: if prefix { 2 } else { 1 },
        data,
    }
}

/// Problems of up to four epochs whose validation losses are numbers.
pub fn loop_shapes() -> impl Strategy<Value = LoopShape> {
    let losses = prop::collection::vec((1..=32_u8).prop_map(Some), 1..=4);
    let sizes = (1..=3_usize, 1..=3_usize, 1..=3_usize);
    let switches = (any::<bool>(), any::<bool>(), any::<bool>(), 1..=2_u8);
    (losses, sizes, switches, any::<u64>().no_shrink()).prop_map(
        |(losses, (batches, width, patience), (prefix, clips, silent, warm_up), data)| LoopShape {
            losses,
            batches,
            width,
            patience,
            prefix,
            clips,
            silent,
            warm_up,
            data,
        },
    )
}

/// Result of one run of the training loop.
#[derive(Debug)]
pub struct Tuned {
    /// Parameters at the end of the loop, `[parameters, width]`.
    pub values: Array,
    /// Parameters at each request for the validation loss, `[times, parameters, width]`.
    pub looks: Array,
    /// Batches that were requested, in order.
    pub visited: Array,
    /// Number of requests for the validation loss.
    pub validated: f64,
    /// Validation losses in the report.
    pub losses: Array,
    /// Best epoch; −1 for none.
    pub best: f64,
}

/// Runs the loop.
///
/// # Errors
///
/// Fails with the verdict if the part gives no answer.
pub fn run(subject: &mut Subject<'_>, case: &Case) -> Result<Tuned, Stop> {
    let answer = subject.forward(case)?;
    let length = |name: &str| answer.tensor(name).map_or(0, |it| it.shape().iter().product());
    let start = case.get("start");
    let looks = answer.tensor("looks").map_or(0, |it| it.shape().first().copied().unwrap_or(0));
    Ok(Tuned {
        values: answer.get(case, "values", start.shape())?,
        looks: answer.get(case, "looks", &[looks, start.dim(0), start.dim(1)])?,
        visited: answer.get(case, "visited", &[length("visited")])?,
        validated: answer.get(case, "validated", &[1])?.at(&[0]),
        losses: answer.get(case, "validation_losses", &[length("validation_losses")])?,
        best: answer.get(case, "best", &[1])?.at(&[0]),
    })
}

/// Returns the shape with as much patience as there are epochs.
#[must_use]
pub fn patient(shape: &LoopShape) -> LoopShape {
    LoopShape { patience: shape.losses.len().max(1), ..shape.clone() }
}

impl Tuned {
    /// Returns the parameters after an epoch, as they were when the loop requested the validation loss.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if the loop ended before.
    pub fn after(&self, case: &Case, epoch: usize) -> Result<Array, Stop> {
        let looks = self.looks.dim(0);
        if epoch >= looks {
            let message = format!(
                "The loop should carry out {}, {} a validation loss at its end, and it asked for {}. {END}",
                count(epoch + 1, "epoch", "epochs"),
                if epoch == 0 { "with" } else { "each with" },
                count(looks, "validation loss", "validation losses"),
            );
            return Err(wrong(case, message));
        }
        let rest = self.looks.shape().get(1..).unwrap_or_default();
        Ok(Array::from_fn(rest, |at| self.looks.at(&[&[epoch], at].concat())))
    }
}

const ORDER: &str = "Look at the two loops, and at where the validation loss is asked for.";

const END: &str = "Look at what ends the loop, and at where the validation loss is asked for.";

const BATCHES: &str =
    "Look at the loop over the batches: where does it begin, and where does it end?";

/// Returns `n` times in words: never, once, twice, 3 times.
#[must_use]
pub fn times(n: f64) -> String {
    match n {
        0.0 => "never".to_owned(),
        1.0 => "once".to_owned(),
        2.0 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

/// Formats numbers as a list: `[0, 1, 2]`.
pub(crate) fn listed(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|x| short(*x)).collect();
    format!("[{}]", numbers.join(", "))
}

/// Checks that the `epochs` that a right loop runs took every batch once, in order, and that each ended with a
/// validation loss.
///
/// # Errors
///
/// Fails with the verdict if not.
pub fn judge_order(case: &Case, tuned: &Tuned, epochs: usize) -> Judged {
    let batches = case.get_size("batches");
    let order_of = |epochs: usize| -> Vec<f64> {
        (0..epochs).flat_map(|_| (0..batches).map(|batch| batch as f64)).collect()
    };
    let order = order_of(epochs);
    let (of_epochs, of_batches) =
        (count(epochs, "epoch", "epochs"), count(batches, "batch", "batches"));
    let ran = tuned.looks.dim(0);
    if (1..epochs).contains(&ran) && tuned.visited.values() == order_of(ran) {
        return Err(wrong(case, ended_early(case, ran, &of_epochs)));
    }
    if tuned.visited.values() != order {
        let visited = match tuned.visited.values() {
            [] => "none was asked for".to_owned(),
            visited => format!("they were asked for in the order {}", listed(visited)),
        };
        let message = format!(
            "Here the loop runs {of_epochs} of {of_batches}: the batches should be asked for in the order \
             {}, and {visited}. {BATCHES}",
            listed(&order),
        );
        return Err(wrong(case, message));
    }
    if tuned.validated != epochs as f64 {
        let each = if epochs == 1 { "it" } else { "each of them" };
        let message = format!(
            "Here the loop runs {of_epochs}, and the validation loss should be asked for once after {each}; it \
             was asked for {}. {ORDER}",
            times(tuned.validated)
        );
        return Err(wrong(case, message));
    }
    Ok(())
}

/// Returns the message about a loop that ran whole epochs, and too few of them.
fn ended_early(case: &Case, ran: usize, of_epochs: &str) -> String {
    let loss = short(case.get("losses").at(&[ran - 1]));
    let of_ran = count(ran, "epoch", "epochs");
    let last =
        if ran == 1 { "with a validation loss of" } else { "the last with a validation loss of" };
    format!(
        "Here the loop should run {of_epochs}, and it ended after {of_ran}, {last} {loss}. {END}"
    )
}

fn every_batch(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/every-batch", seed), 4, loop_shapes(), |subject, shape| {
        judge_batches(subject, &patient(shape).case(seed))
    })
}

fn judge_batches(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let tuned = run(subject, case)?;
    // With as much patience as epochs, the loop runs all of them.
    judge_order(case, &tuned, case.get("losses").values().len())?;
    let words = ("The report should have the validation loss of each epoch, in order", ORDER);
    let want = case.get("losses");
    if tuned.losses.shape() != want.shape() {
        return Err(wrong(case, format!("{}. {ORDER}", words.0)));
    }
    compare(case, "validation_losses", (&tuned.losses, &want), Tolerance::EXACT, words)
}

fn frozen_stays(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    // A first step may be small: two steps change every tuned parameter.
    search(subject, ("loop/frozen-stays", seed), 4, loop_shapes(), |subject, shape| {
        let shape = LoopShape { batches: shape.batches.max(2), ..patient(shape) };
        let cases = [false, true].map(|silent| LoopShape { silent, ..shape.clone() }.case(seed));
        cases.iter().try_for_each(|case| judge_frozen(subject, case))
    })
}

fn judge_frozen(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let tuned = run(subject, case)?;
    let (start, learns) = (case.get("start"), case.get("learns"));
    let looks = tuned.looks.dim(0);
    let last = if looks == 0 { tuned.values.clone() } else { tuned.after(case, looks - 1)? };
    let moved = |to: &Array, n: usize| {
        (0..start.dim(1)).find(|&i| to.at(&[n, i]).to_bits() != start.at(&[n, i]).to_bits())
    };
    for (n, name) in NAMES.iter().enumerate() {
        if learns.at(&[n]) == 0.0 {
            let optimizer = "Look at which parameters are handed to the optimizer: what it is handed it \
                             changes, by weight decay even where the gradient is zero.";
            let kept = "Look at what is kept and put back.";
            for (to, when, look) in
                [(&last, "after the last epoch", optimizer), (&tuned.values, "at the end", kept)]
            {
                let Some(i) = moved(to, n) else { continue };
                let (is, was) = short_pair(to.at(&[n, i]), start.at(&[n, i]));
                let message = format!(
                    "`{name}` does not learn (`learns` says so), and {when} its value {i} (counted from 0) is \
                     {is} instead of {was}. {look}",
                );
                return Err(wrong(case, message));
            }
        } else if moved(&last, n).is_none() {
            let message = format!(
                "`{name}` learns, has a gradient in every step, and after the last epoch is what it was \
                 before the first step. Look at which parameters are handed to the optimizer."
            );
            return Err(wrong(case, message));
        }
    }
    Ok(())
}
