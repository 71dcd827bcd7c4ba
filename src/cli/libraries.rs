//! Display of how the libraries are built that submissions link against: a bar on a terminal, occasional lines elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::build::{BuildError, CompileProgress, Pack, PackProgress, Tools};
use crate::cli::env::Env;
use crate::cli::progress::{TICK, say, style};
use crate::cli::site::Site;
use crate::report::Style;

/// Purpose of the build.
const PURPOSE: &str =
    "compiling the libraries that submissions link against; later runs reuse them";

/// Steps of the bar.
const STEPS: u64 = 1000;

/// Longest time between two lines if stderr is no terminal.
const MAX_SILENCE: Duration = Duration::from_secs(30);

/// Opens the prebuilt libraries of the course. Builds them first if there are none, which takes minutes, and shows the
/// progress on stderr.
///
/// # Errors
///
/// Fails like [`Pack::prepare`].
pub(crate) fn prepare(
    site: &Site,
    tools: &Tools,
    env: &Env,
    style: Style,
) -> Result<Pack, BuildError> {
    let mut display = Display::new(env, style);
    let pack = Pack::prepare(tools, &site.home, &site.cache(), &mut |stage| display.show(&stage));
    display.end();
    pack
}

/// Display of one build.
struct Display {
    view: View,
    /// Last progress of the compilation.
    compiled: Option<CompileProgress>,
}

enum View {
    Bar { bar: ProgressBar, colored: bool },
    Lines(LineSchedule),
}

impl Display {
    fn new(env: &Env, style: Style) -> Self {
        let view = if env.stderr_is_terminal {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            View::Bar { bar, colored: style == Style::Colored }
        } else {
            View::Lines(LineSchedule::default())
        };
        Self { view, compiled: None }
    }

    /// Shows a stage of the build.
    fn show(&mut self, stage: &PackProgress) {
        match stage {
            PackProgress::Waiting => {
                self.note("waiting for another grader, which compiles the libraries");
            }
            PackProgress::Fetching => {
                self.note("fetching the libraries that submissions link against");
            }
            PackProgress::Compiling(progress) => self.compile(progress),
            PackProgress::Built => {
                self.end();
                if let Some(CompileProgress { total, elapsed, .. }) = self.compiled {
                    say(&format!("compiled all {total} crates in {}", duration(elapsed)));
                }
            }
        }
    }

    /// Shows a stage that has no measure.
    fn note(&self, text: &str) {
        match &self.view {
            View::Bar { bar, .. } => {
                bar.set_style(style("{spinner} {msg} {elapsed}"));
                bar.set_message(text.to_owned());
                bar.enable_steady_tick(TICK);
            }
            View::Lines(_) => say(text),
        }
    }

    fn compile(&mut self, progress: &CompileProgress) {
        let is_first = self.compiled.replace(progress.clone()).is_none();
        match &mut self.view {
            View::Bar { bar, colored } => {
                if is_first {
                    let shape = if *colored { "{bar:30.cyan/dim}" } else { "{bar:30}" };
                    bar.set_style(style(&format!("{PURPOSE}\n{shape} {{msg}}")));
                    bar.set_length(STEPS);
                }
                bar.set_message(summary(progress));
                bar.set_position(steps(progress).max(bar.position()));
            }
            View::Lines(schedule) => {
                if is_first {
                    say(PURPOSE);
                }
                if schedule.is_due(progress) {
                    say(&summary(progress));
                }
            }
        }
    }

    /// Removes the bar.
    fn end(&self) {
        if let View::Bar { bar, .. } = &self.view {
            bar.finish_and_clear();
        }
    }
}

/// Decides when a line is written: at each quarter of the crates, and after [`MAX_SILENCE`].
#[derive(Debug, Default)]
struct LineSchedule {
    quarter: usize,
    said: Option<Duration>,
}

impl LineSchedule {
    /// True if a line is due; the time of the next one counts from now.
    fn is_due(&mut self, progress: &CompileProgress) -> bool {
        let quarter = progress.done * 4 / progress.total.max(1);
        let is_late = self.said.is_none_or(|said| progress.elapsed >= said + MAX_SILENCE);
        // The last line is that of the finished build.
        let is_due = progress.done < progress.total && (is_late || quarter > self.quarter);
        if is_due {
            (self.quarter, self.said) = (quarter, Some(progress.elapsed));
        }
        is_due
    }
}

/// Returns the share of the expected time that has passed, in [`STEPS`]. The crates are no measure: half of the time is
/// spent on two of them.
fn steps(progress: &CompileProgress) -> u64 {
    let Some(left) = progress.left else { return 0 };
    let whole = progress.elapsed + left;
    let share = progress.elapsed.as_millis() * u128::from(STEPS) / whole.as_millis().max(1);
    u64::try_from(share).unwrap_or(STEPS).min(STEPS)
}

/// Returns the number of crates, the time and the estimate.
fn summary(progress: &CompileProgress) -> String {
    let CompileProgress { done, total, elapsed, left } = progress;
    let left = left.filter(|left| !left.is_zero()).map(estimate).unwrap_or_default();
    format!("{done} of {total} crates, {}{left}", duration(*elapsed))
}

/// Returns an estimate as a text; it is not more exact than minutes.
fn estimate(left: Duration) -> String {
    match left.as_secs() {
        0..45 => ", less than a minute left".to_owned(),
        45..90 => ", about 1 minute left".to_owned(),
        seconds => format!(", about {} minutes left", (seconds + 30) / 60),
    }
}

fn duration(time: Duration) -> String {
    match (time.as_secs() / 60, time.as_secs() % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(done: usize, elapsed: u64, left: Option<u64>) -> CompileProgress {
        let (elapsed, left) = (Duration::from_secs(elapsed), left.map(Duration::from_secs));
        CompileProgress { done, total: 147, elapsed, left }
    }

    #[test]
    fn a_line_tells_crates_time_and_estimate() {
        for (progress, text) in [
            (at(0, 0, Some(145)), "0 of 147 crates, 0 s, about 2 minutes left"),
            (at(0, 0, Some(150)), "0 of 147 crates, 0 s, about 3 minutes left"),
            (at(98, 59, Some(89)), "98 of 147 crates, 59 s, about 1 minute left"),
            (at(140, 84, Some(44)), "140 of 147 crates, 1 min 24 s, less than a minute left"),
            (at(140, 200, None), "140 of 147 crates, 3 min 20 s"),
            (at(147, 145, Some(0)), "147 of 147 crates, 2 min 25 s"),
        ] {
            assert_eq!(summary(&progress), text);
        }
    }

    #[test]
    fn lines_are_rare_without_a_terminal() {
        let mut schedule = LineSchedule::default();
        let mut said = Vec::new();
        for second in 0..=145_usize {
            let done = if second < 20 { second * 7 } else { 140 + second / 25 };
            if schedule.is_due(&at(done.min(147), second as u64, None)) {
                said.push(second);
            }
        }
        assert_eq!(said, [0, 6, 11, 16, 46, 76, 106, 136]);
    }

    #[test]
    fn the_bar_is_full_at_the_end_and_never_before() {
        for (progress, expected) in [
            (at(0, 0, Some(145)), 0),
            (at(120, 36, Some(108)), 250),
            (at(146, 3000, Some(1)), 999),
            (at(146, 200, None), 0),
            (at(147, 145, Some(0)), STEPS),
        ] {
            assert_eq!(steps(&progress), expected, "{progress:?}");
        }
    }
}
