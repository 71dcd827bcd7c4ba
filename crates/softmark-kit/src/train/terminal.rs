//! Progress of a training on a terminal.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use crate::train::history::History;
use crate::train::observer::{Observer, Plan};
use crate::train::record::{EpochRecord, StepRecord};

/// Minimum time between two updates of the progress line.
const PAUSE: Duration = Duration::from_millis(100);

/// Shows a training on stderr: a progress line that is updated as steps complete, and a permanent line for
/// each epoch. If stderr is not a terminal, nothing is written.
///
/// ```text
/// epoch  2/10  step  37/120  loss 0.4312  accuracy 0.8516  1m12s left
/// epoch  2/10  loss 0.4207  accuracy 0.8577  validation 0.3911  0.8812  learning rate 9.1e-4
/// ```
///
/// The clock is read here only to show the remaining time; it does not influence the training.
pub struct TerminalObserver {
    /// Output; `None` if stderr is not a terminal.
    out: Option<Box<dyn Write>>,
    now: Box<dyn FnMut() -> Duration>,
    plan: Plan,
    /// Times at which the first step began, and at which the line was last written.
    began: Duration,
    written: Option<Duration>,
    sums: Sums,
}

/// Sums of the running epoch.
#[derive(Default)]
struct Sums {
    /// The examples' losses.
    loss: f64,
    /// Correct predictions.
    right: usize,
    examples: usize,
}

impl fmt::Debug for TerminalObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TerminalObserver").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl Default for TerminalObserver {
    fn default() -> Self {
        Self::new()
    }
}

impl TerminalObserver {
    /// Returns an observer that writes to stderr, if that is a terminal.
    #[expect(
        clippy::disallowed_methods,
        reason = "time that is left is shown, and used for nothing"
    )]
    pub fn new() -> Self {
        let out: Option<Box<dyn Write>> =
            if io::stderr().is_terminal() { Some(Box::new(io::stderr())) } else { None };
        let began = Instant::now();
        Self::with(out, Box::new(move || began.elapsed()))
    }

    fn with(out: Option<Box<dyn Write>>, now: Box<dyn FnMut() -> Duration>) -> Self {
        let plan = Plan { epochs: 0, steps_an_epoch: 0, done: 0, parameters: 0 };
        Self { out, now, plan, began: Duration::ZERO, written: None, sums: Sums::default() }
    }

    /// Replaces the progress line; if `stays`, the line is made permanent. A failed write does not end the training.
    fn write(&mut self, line: &str, stays: bool) {
        let end = if stays { "\n" } else { "" };
        let Some(out) = &mut self.out else { return };
        if write!(out, "\r\x1b[2K{line}{end}").and_then(|()| out.flush()).is_err() {
            self.out = None;
        }
    }

    fn head(&self, epoch: usize) -> String {
        let epochs = self.plan.epochs.to_string();
        format!("epoch {:>width$}/{epochs}", epoch + 1, width = epochs.len())
    }
}

/// Formats a duration with at most two units: `42s`, `1m12s`, `3h07m`.
fn duration(of: Duration) -> String {
    let seconds = of.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m{seconds:02}s"),
        (hours, minutes, _) => format!("{hours}h{minutes:02}m"),
    }
}

impl Observer for TerminalObserver {
    fn begins(&mut self, plan: &Plan) {
        self.plan = *plan;
        self.began = (self.now)();
        let Plan { parameters, .. } = plan;
        self.write(&format!("{parameters} parameters, {} steps", plan.steps()), true);
    }

    fn step(&mut self, record: &StepRecord) {
        self.sums.loss += record.loss * record.examples as f64;
        self.sums.right += record.right;
        self.sums.examples += record.examples;
        if self.out.is_none() {
            return;
        }
        let now = (self.now)();
        if self.written.is_some_and(|written| now.saturating_sub(written) < PAUSE) {
            return;
        }
        self.written = Some(now);
        let Sums { loss, right, examples } = self.sums;
        let count = examples.max(1) as f64;
        let done = record.step + 1;
        let elapsed = now.saturating_sub(self.began).as_secs_f64();
        let a_step = elapsed / done.saturating_sub(self.plan.done).max(1) as f64;
        let left = a_step * self.plan.steps().saturating_sub(done) as f64;
        let steps = self.plan.steps_an_epoch.to_string();
        let line = format!(
            "{}  step {:>width$}/{steps}  loss {:.4}  accuracy {:.4}  {} left",
            self.head(record.epoch),
            record.step % self.plan.steps_an_epoch.max(1) as u64 + 1,
            loss / count,
            right as f64 / count,
            duration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX)),
            width = steps.len(),
        );
        self.write(&line, false);
    }

    fn epoch(&mut self, record: &EpochRecord) {
        self.sums = Sums::default();
        let validation = match (record.validation_loss, record.validation_accuracy) {
            (Some(loss), Some(accuracy)) => format!("  validation {loss:.4}  {accuracy:.4}"),
            _ => String::new(),
        };
        let line = format!(
            "{}  loss {:.4}  accuracy {:.4}{validation}  learning rate {:.1e}",
            self.head(record.epoch),
            record.train_loss,
            record.train_accuracy,
            record.learning_rate,
        );
        self.write(&line, true);
    }

    fn ends(&mut self, history: &History) {
        if let Some(epoch) = history.restored_epoch {
            self.write(&format!("the weights are those of epoch {}", epoch + 1), true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// Output of the observer, captured for the test.
    #[derive(Clone, Default)]
    struct Screen(Rc<RefCell<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn step(step: u64) -> StepRecord {
        StepRecord {
            step,
            epoch: 0,
            loss: 0.5,
            right: 3,
            examples: 4,
            learning_rate: 1e-3,
            gradient_norm: None,
        }
    }

    #[test]
    fn a_line_tells_how_far_it_is_and_how_long_it_takes() {
        let screen = Screen::default();
        let mut seconds = 0;
        // One second passes between two readings of the clock.
        let clock = move || {
            seconds += 1;
            Duration::from_secs(seconds)
        };
        let mut observer = TerminalObserver::with(Some(Box::new(screen.clone())), Box::new(clock));
        observer.begins(&Plan { epochs: 10, steps_an_epoch: 20, done: 0, parameters: 77 });
        observer.step(&step(0));
        observer.step(&step(1));
        let record = EpochRecord {
            epoch: 0,
            train_loss: 0.5,
            train_accuracy: 0.75,
            validation_loss: Some(0.25),
            validation_accuracy: Some(1.0),
            learning_rate: 1e-3,
        };
        observer.epoch(&record);
        let text = String::from_utf8(screen.0.borrow().clone()).unwrap();
        let lines: Vec<&str> = text.split("\r\x1b[2K").skip(1).collect();
        assert_eq!(lines[0], "77 parameters, 200 steps\n");
        assert_eq!(lines[1], "epoch  1/10  step  1/20  loss 0.5000  accuracy 0.7500  3m19s left");
        assert!(lines[2].ends_with("3m18s left"), "{}", lines[2]);
        let want = "epoch  1/10  loss 0.5000  accuracy 0.7500  validation 0.2500  1.0000  \
                    learning rate 1.0e-3\n";
        assert_eq!(lines[3], want);
    }

    #[test]
    fn a_duration_has_two_units_at_most() {
        let texts = [0, 59, 72, 11_249].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(texts, ["0s", "59s", "1m12s", "3h07m"]);
    }
}
