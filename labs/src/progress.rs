//! Progress of a lab's trainings on stderr, with an estimate of the remaining time.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use softmark_kit::train::{EpochRecord, History, Observer, Plan, StepRecord, TerminalObserver};

/// Time between two lines within an epoch, if stderr is not a terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// Progress over all runs of a lab.
///
/// The clock is read only to show the remaining time.
pub(crate) struct Progress {
    out: Box<dyn Write>,
    now: Box<dyn FnMut() -> Duration>,
    /// Number of runs of the lab.
    runs: usize,
    /// Number of finished runs, including saved ones.
    finished: usize,
    /// Number of runs trained by this process.
    trained: usize,
    /// Time at which the first training began.
    began: Option<Duration>,
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, finished, trained, .. } = self;
        let mut debug = f.debug_struct("Progress");
        debug.field("runs", runs).field("finished", finished).field("trained", trained);
        debug.finish_non_exhaustive()
    }
}

impl Progress {
    /// Returns the progress of `runs` runs, none of which has begun.
    #[expect(
        clippy::disallowed_methods,
        reason = "the remaining time is shown, and used for nothing"
    )]
    pub(crate) fn new(runs: usize) -> Self {
        let began = std::time::Instant::now();
        Self::with(runs, Box::new(io::stderr()), Box::new(move || began.elapsed()))
    }

    fn with(runs: usize, out: Box<dyn Write>, now: Box<dyn FnMut() -> Duration>) -> Self {
        Self { out, now, runs, finished: 0, trained: 0, began: None }
    }

    /// Writes a line. Progress is optional: a failure to write it is ignored.
    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.out, "{line}").ok();
    }

    /// Sets the number of runs, if the lab learns it only on the way.
    pub(crate) fn set_runs(&mut self, runs: usize) {
        self.runs = runs;
    }

    /// Counts a run that was saved by an earlier process.
    pub(crate) fn skip(&mut self, name: &str) {
        self.finished += 1;
        let Self { runs, finished, .. } = *self;
        self.say(&format!("run {finished} of {runs}: {name}, saved by an earlier start"));
    }

    /// Returns an observer of the next run, which is to be counted with [`finish`](Self::finish).
    pub(crate) fn observe<'a>(&'a mut self, name: &'a str) -> RunObserver<'a> {
        let now = (self.now)();
        self.began.get_or_insert(now);
        let terminal = io::stderr().is_terminal().then(TerminalObserver::new);
        let plan = Plan { epochs: 0, steps_an_epoch: 0, done: 0, parameters: 0 };
        RunObserver { progress: self, name, terminal, plan, written: now }
    }

    /// Counts a run as trained.
    pub(crate) fn finish(&mut self) {
        self.finished += 1;
        self.trained += 1;
    }

    /// Returns `run 3 of 12, about 6 min left`; `share` is the share of the current run that is done, and
    /// `resumed` the part of it that an earlier process did.
    fn head(&mut self, share: f64, resumed: f64) -> String {
        let elapsed = (self.now)().saturating_sub(self.began.unwrap_or_default());
        let done = self.trained as f64 + share - resumed;
        let left = self.runs.saturating_sub(self.finished) as f64 - share;
        let run = self.finished + 1;
        match estimate(elapsed, done, left) {
            Some(left) => format!("run {run} of {}, {}", self.runs, shown(left)),
            None => format!("run {run} of {}", self.runs),
        }
    }
}

/// Returns the remaining time if `done` runs took `elapsed` and `left` runs are left; `None` before anything is done.
fn estimate(elapsed: Duration, done: f64, left: f64) -> Option<Duration> {
    if done <= 0.0 {
        return None;
    }
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * left.max(0.0) / done).ok()
}

/// Formats a remaining time, rounded up to minutes.
fn shown(left: Duration) -> String {
    let minutes = left.as_secs().div_ceil(60);
    match (minutes / 60, minutes % 60) {
        (0, 0 | 1) => "less than a minute left".to_owned(),
        (0, minutes) => format!("about {minutes} min left"),
        (hours, minutes) => format!("about {hours} h {minutes:02} min left"),
    }
}

/// Observer of one run of a lab.
pub(crate) struct RunObserver<'a> {
    progress: &'a mut Progress,
    name: &'a str,
    /// The kit's progress line, on a terminal.
    terminal: Option<TerminalObserver>,
    plan: Plan,
    written: Duration,
}

impl RunObserver<'_> {
    /// Returns the share of the run that is done after `steps` steps.
    fn share(&self, steps: u64) -> f64 {
        steps as f64 / self.plan.steps().max(1) as f64
    }

    /// Writes where the training is, after `steps` steps.
    fn write(&mut self, steps: u64, what: &str) {
        let (share, resumed) = (self.share(steps), self.share(self.plan.done));
        let head = self.progress.head(share, resumed);
        self.progress.say(&format!("{head}: {}{what}", self.name));
        self.written = (self.progress.now)();
    }
}

impl Observer for RunObserver<'_> {
    fn begins(&mut self, plan: &Plan) {
        self.plan = *plan;
        let resumed = match plan.done {
            0 => String::new(),
            done => format!(", resumed after step {done} of {}", plan.steps()),
        };
        self.write(plan.done, &resumed);
        if let Some(terminal) = &mut self.terminal {
            terminal.begins(plan);
        }
    }

    fn step(&mut self, record: &StepRecord) {
        match &mut self.terminal {
            Some(terminal) => terminal.step(record),
            None if (self.progress.now)().saturating_sub(self.written) >= PAUSE => {
                let done = record.step + 1;
                self.write(done, &format!(", step {done} of {}", self.plan.steps()));
            }
            None => {}
        }
    }

    fn epoch(&mut self, record: &EpochRecord) {
        if let Some(terminal) = &mut self.terminal {
            return terminal.epoch(record);
        }
        let epoch = record.epoch + 1;
        let validation = record.validation_accuracy.map(|it| format!(", validation {it:.4}"));
        let what = format!(
            ", epoch {epoch}/{}, loss {:.4}, accuracy {:.4}{}",
            self.plan.epochs,
            record.train_loss,
            record.train_accuracy,
            validation.unwrap_or_default(),
        );
        self.write((epoch * self.plan.steps_an_epoch) as u64, &what);
    }

    fn ends(&mut self, history: &History) {
        if let Some(terminal) = &mut self.terminal {
            terminal.ends(history);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// Output of a progress, captured for the test.
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

    #[test]
    fn remaining_time_is_that_of_the_runs_that_are_left() {
        let minutes = |of: u64| Duration::from_secs(of * 60);
        assert_eq!(estimate(minutes(4), 2.0, 3.0), Some(minutes(6)));
        assert_eq!(estimate(minutes(4), 0.0, 3.0), None);
        assert_eq!(estimate(minutes(4), 1.0, -0.5), Some(minutes(0)));
        let texts = [20, 70, 360, 7800].map(|it| shown(Duration::from_secs(it)));
        let want = [
            "less than a minute left",
            "about 2 min left",
            "about 6 min left",
            "about 2 h 10 min left",
        ];
        assert_eq!(texts, want);
    }

    #[test]
    fn lines_name_the_run_and_the_remaining_time() {
        let screen = Screen::default();
        let time = Rc::new(RefCell::new(Duration::ZERO));
        let clock = Rc::clone(&time);
        let mut progress =
            Progress::with(3, Box::new(screen.clone()), Box::new(move || *clock.borrow()));
        progress.skip("first");
        let plan = Plan { epochs: 2, steps_an_epoch: 10, done: 0, parameters: 1 };
        let mut observer = progress.observe("second");
        observer.terminal = None;
        observer.begins(&plan);
        *time.borrow_mut() = Duration::from_mins(2);
        let record = EpochRecord {
            epoch: 0,
            train_loss: 0.5,
            train_accuracy: 0.75,
            validation_loss: Some(0.25),
            validation_accuracy: Some(1.0),
            learning_rate: 1e-3,
        };
        observer.epoch(&record);
        progress.finish();
        let text = String::from_utf8(screen.0.borrow().clone()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "run 1 of 3: first, saved by an earlier start",
                "run 2 of 3: second",
                // Half a run took 2 minutes; half of this one and a whole one are left.
                "run 2 of 3, about 6 min left: second, epoch 1/2, loss 0.5000, accuracy 0.7500, validation 1.0000",
            ]
        );
    }
}
