//! Display of a run that a job engine carries out: a bar on a terminal, lines elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::cli::env::Env;
use crate::cli::progress::{TICK, say, style};
use crate::clock::Clock;
use crate::jobs::{JobEvent, Progress};
use crate::report::Style;

/// Least time between two lines if stderr is no terminal: a run of a thousand chunks must not fill a log.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Display on stderr.
pub(crate) struct JobProgress {
    bar: Option<ProgressBar>,
    clock: Clock,
    /// Noun for the units.
    noun: &'static str,
    /// Number of units with a result when the first chunk ran, which took no time.
    at_first: Option<usize>,
    /// Time of the last line, if there is no bar.
    last_line: Option<Duration>,
}

impl JobProgress {
    /// Creates the display of a run whose units are called `noun`.
    pub(crate) fn new(env: &Env, colors: Style, noun: &'static str) -> Self {
        let bar = env.stderr_is_terminal.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let shape = if colors == Style::Colored { "{bar:30.cyan/dim}" } else { "{bar:30}" };
            bar.set_style(style(&format!("{shape} {{pos}} of {{len}}   {{elapsed}}   {{msg}}")));
            bar.enable_steady_tick(TICK);
            bar
        });
        Self { bar, clock: Clock::start(), noun, at_first: None, last_line: None }
    }

    /// Creates a display that writes lines on a terminal as well: of a run that prints something for each unit.
    pub(crate) fn lines(noun: &'static str) -> Self {
        Self { bar: None, clock: Clock::start(), noun, at_first: None, last_line: None }
    }

    /// Shows an event.
    pub(crate) fn handle(&mut self, event: &JobEvent) {
        match event {
            JobEvent::Progress(progress) => self.show(*progress),
            JobEvent::Trouble(text) => self.say(text),
        }
    }

    /// Writes a line above the bar.
    pub(crate) fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    fn show(&mut self, progress: Progress) {
        let at_first = *self.at_first.get_or_insert(progress.done);
        let text = described(progress, at_first, self.clock.elapsed());
        match &self.bar {
            Some(bar) => {
                bar.set_length(progress.units as u64);
                bar.set_position(progress.done as u64);
                bar.set_message(text);
            }
            None if self.is_line_due(progress) => {
                let (done, all) = (progress.done, progress.units);
                say(&format!("{done} of {all} {}; {text}", self.noun));
                self.last_line = Some(self.clock.elapsed());
            }
            None => {}
        }
    }

    /// True for the first and the last line, and in between after a while.
    fn is_line_due(&self, progress: Progress) -> bool {
        let is_due = |last: Duration| self.clock.elapsed() >= last + BETWEEN_LINES;
        let is_while_ago = self.last_line.is_none_or(is_due);
        is_while_ago || progress.done == progress.units
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Describes the chunks, and estimates the rest of the time from the units that are done.
fn described(progress: Progress, at_first: usize, elapsed: Duration) -> String {
    let Progress { waiting, running, finished, done: with_result, units } = progress;
    let chunks = format!("chunks: {waiting} waiting, {running} running, {finished} finished");
    let done = with_result - at_first.min(with_result);
    let left = units - with_result.min(units);
    if done == 0 || left == 0 {
        return chunks;
    }
    let seconds = elapsed.as_secs_f64() * left as f64 / done as f64;
    let rest = if seconds < 90.0 {
        format!("about {:.0} s left", seconds.max(1.0))
    } else {
        format!("about {:.0} min left", seconds / 60.0)
    };
    format!("{chunks}; {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_from_what_was_graded_here() {
        let progress = Progress { waiting: 1, running: 2, finished: 3, done: 50, units: 90 };
        let text = |at_first, seconds| described(progress, at_first, Duration::from_secs(seconds));
        assert_eq!(text(10, 20), "chunks: 1 waiting, 2 running, 3 finished; about 20 s left");
        assert!(text(10, 600).ends_with("; about 10 min left"));
        assert!(text(50, 20).ends_with("3 finished"), "nothing to go by yet");
    }
}
