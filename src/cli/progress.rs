//! Progress display: bars on a terminal, occasional lines elsewhere.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use softmark_untrusted::Untrusted;

use crate::cli::env::Env;
use crate::pipeline::Event;
use crate::report::Style;
use crate::report::text::{fit, pad};

/// Time between two frames of a spinner.
pub(crate) const TICK: Duration = Duration::from_millis(120);

/// Columns reserved for a name.
const NAME: usize = 24;

/// Most progress lines of a run if stderr is no terminal.
const LINES: usize = 10;

/// Progress display on stderr.
pub(crate) struct Progress {
    total: usize,
    finished: usize,
    view: View,
}

enum View {
    Bars(Box<Bars>),
    Lines,
}

struct Bars {
    all: MultiProgress,
    /// Bar of the whole run.
    run: ProgressBar,
    /// Items in progress, by name.
    working: BTreeMap<Untrusted, ProgressBar>,
    colored: bool,
}

impl Progress {
    /// Creates a display for `total` submissions or fixtures.
    pub(crate) fn new(env: &Env, style: Style, total: usize) -> Self {
        let view = if env.stderr_is_terminal {
            View::Bars(Box::new(Bars::new(style == Style::Colored)))
        } else {
            View::Lines
        };
        Self { total, finished: 0, view }
    }

    /// Something happened to a submission.
    pub(crate) fn handle(&mut self, event: &Event) {
        match event {
            Event::Started { submission } => self.start(submission),
            Event::Compiling { submission } => self.work(submission, "compiling"),
            Event::Checking { submission, check } => self.work(submission, check),
            Event::Finished { submission, .. } => self.finish(submission),
        }
    }

    /// Something of that name is begun.
    pub(crate) fn start(&mut self, name: &Untrusted) {
        if let View::Bars(bars) = &mut self.view {
            bars.count(self.total);
            bars.start(name);
        }
    }

    /// This is what is done with it.
    pub(crate) fn work(&mut self, name: &Untrusted, what: &str) {
        if let View::Bars(bars) = &mut self.view {
            bars.work(name, what);
        }
    }

    /// Counts an item as finished and removes its bar.
    pub(crate) fn finish(&mut self, name: &Untrusted) {
        self.finished += 1;
        match &mut self.view {
            View::Bars(bars) => {
                bars.count(self.total);
                bars.finish(name);
            }
            View::Lines => {
                let step = self.total.div_ceil(LINES);
                let is_due =
                    self.finished.is_multiple_of(step.max(1)) || self.finished == self.total;
                if self.total >= LINES && is_due {
                    say(&format!("graded {} of {}", self.finished, self.total));
                }
            }
        }
    }

    /// Nothing more will happen.
    pub(crate) fn end(&mut self) {
        if let View::Bars(bars) = &mut self.view {
            bars.run.finish_and_clear();
            bars.all.clear().ok();
        }
    }
}

impl Bars {
    fn new(colored: bool) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let run = all.add(ProgressBar::no_length());
        Self { all, run, working: BTreeMap::new(), colored }
    }

    /// From the first thing on, things are counted.
    fn count(&mut self, total: usize) {
        if self.run.length().is_none() {
            let bar = if self.colored { "{bar:30.cyan/dim}" } else { "{bar:30}" };
            self.run.set_style(style(&format!("{bar} {{pos}} of {{len}}   {{elapsed}}{{msg}}")));
            self.run.set_message("");
            self.run.set_length(u64::try_from(total).unwrap_or(0));
            self.run.enable_steady_tick(TICK);
        }
    }

    fn start(&mut self, name: &Untrusted) {
        let bar = ProgressBar::no_length().with_style(style("{spinner} {prefix} {msg}"));
        let bar = self.all.insert_before(&self.run, bar);
        bar.set_prefix(pad(&fit(&name.to_string(), NAME), NAME));
        // Another version of the same submission may be in progress.
        if let Some(other) = self.working.insert(name.clone(), bar) {
            self.all.remove(&other);
        }
    }

    fn finish(&mut self, name: &Untrusted) {
        if let Some(bar) = self.working.remove(name) {
            bar.finish_and_clear();
            self.all.remove(&bar);
        }
        self.run.inc(1);
    }

    fn work(&self, name: &Untrusted, what: &str) {
        if let Some(bar) = self.working.get(name) {
            bar.set_message(what.to_owned());
            bar.tick();
        }
    }
}

/// Returns the style of a bar with this template.
pub(crate) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("█▌·")
        .tick_chars("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ")
}

/// Writes a line to stderr.
pub(crate) fn say(text: &str) {
    // Where nobody listens there is nobody to tell.
    writeln!(io::stderr(), "{text}").ok();
}
