//! The lines that the watch mode shows.

use std::io;

use unicode_width::UnicodeWidthStr;

use crate::paper::{Ink, Paper, wrap};
use crate::results::{State as CheckState, Tally};
use crate::setting::Setting;
use crate::text;
use crate::watch::state::{CheckSlot, Phase, State, TaskState};

/// Columns of wrapped text.
const COLUMNS: usize = 88;

/// Line of text in one colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// The text.
    pub(crate) text: String,
    /// Its colour; none is that of the terminal.
    pub(crate) ink: Option<Ink>,
}

impl Line {
    fn new(ink: impl Into<Option<Ink>>, text: impl Into<String>) -> Self {
        Self { text: text.into(), ink: ink.into() }
    }
}

/// Returns a line for each task: its state, its title, and its points.
pub(crate) fn tasks(state: &State) -> Vec<Line> {
    let titles = state.tasks.iter().map(|task| task.task.title.width());
    let widest = titles.max().unwrap_or_default();
    let lines = state.tasks.iter().enumerate();
    lines.map(|(place, task)| task_line(task, widest, place == state.current)).collect()
}

fn task_line(task: &TaskState, widest: usize, is_current: bool) -> Line {
    let Tally { right, wrong, unwritten, points, max_points } = task.tally();
    let (mark, ink) = match (wrong, unwritten) {
        (0, 0) if right == task.checks.len() => text::mark(CheckState::Right),
        (0, 0) => (" ", Ink::Dim),
        (0, _) => text::mark(CheckState::Unwritten),
        _ => text::mark(CheckState::Wrong),
    };
    let pointer = if is_current { "›" } else { " " };
    let earned = if max_points > 0.0 {
        format!("{:>5} of {} points", text::points(points), text::points(max_points))
    } else {
        String::new()
    };
    let (title, all) = (task.task.title, task.checks.len());
    let gap = " ".repeat(widest.saturating_sub(title.width()));
    let line = format!("{pointer} {mark} {title}{gap}  {right:>2} of {all:>2} right {earned}");
    Line::new(ink, line.trim_end())
}

/// Returns the reasons for which the grader would reject the files, then why the code does not compile, or the first check of
/// the current task that does not pass.
pub(crate) fn details(setting: &Setting, state: &State) -> Vec<Line> {
    let mut lines = rejected(state);
    lines.extend(of_phase(setting, state));
    lines
}

/// Returns the reasons for which the grader would reject the files.
fn rejected(state: &State) -> Vec<Line> {
    if state.rejected.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::new(Ink::Bold, "The grader does not accept this code")];
    for reason in &state.rejected {
        lines.extend(
            wrap(reason, COLUMNS).into_iter().map(|line| Line::new(Ink::Red, format!("  {line}"))),
        );
    }
    lines.push(Line::new(None, ""));
    lines
}

fn of_phase(setting: &Setting, state: &State) -> Vec<Line> {
    match &state.phase {
        Phase::DoesNotCompile(messages) => {
            let title = Line::new(Ink::Red, "The code does not compile");
            let lines = messages.iter().map(|line| Line::new(None, line.clone()));
            [title].into_iter().chain(lines).collect()
        }
        Phase::Failed(reason) => {
            wrap(reason, COLUMNS).into_iter().map(|line| Line::new(Ink::Red, line)).collect()
        }
        Phase::Building | Phase::Running { .. } | Phase::Waiting => of_task(setting, state),
    }
}

fn of_task(setting: &Setting, state: &State) -> Vec<Line> {
    let Some(task) = state.task() else { return Vec::new() };
    let mut lines =
        vec![Line::new(Ink::Bold, format!("{}  ({})", task.task.title, task.task.file))];
    let Some(open) = task.first_open() else {
        lines.push(Line::new(Ink::Green, "all public checks of this task pass"));
        return lines;
    };
    let Some(result) = &open.result else { return lines };
    let (mark, ink) = text::mark(result.state());
    lines.push(Line::new(ink, format!("{mark} {}  ({})", open.check.title, open.check.id)));
    lines.extend(written(&|paper| text::details(result, paper)));
    if let Some(mistake) = &task.mistake {
        lines.extend(written(&|paper| text::known_mistake(mistake, paper)));
    }
    if let Some(below) = task.task.unfinished_below(&state.unfinished()) {
        let note = wrap(&text::begin_there(below), COLUMNS);
        lines.extend(note.into_iter().map(|line| Line::new(Ink::Dim, format!("  {line}"))));
    }
    lines.extend(hints(setting, state, open));
    lines
}

/// Returns the lines that `write` writes.
fn written(write: &dyn Fn(&mut Paper<'_>) -> io::Result<()>) -> Vec<Line> {
    let mut text = Vec::new();
    // Writing into memory does not fail.
    drop(write(&mut Paper::new(&mut text, false)));
    let text = String::from_utf8_lossy(&text).into_owned();
    text.lines().map(|line| Line::new(None, line.strip_prefix("    ").unwrap_or(line))).collect()
}

fn hints(setting: &Setting, state: &State, open: &CheckSlot) -> Vec<Line> {
    let mut lines = Vec::new();
    let Some(hints) = setting.hints.get(open.check.id) else {
        if state.hints > 0 {
            lines.push(Line::new(Ink::Dim, "there are no hints on this check"));
        }
        return lines;
    };
    for (title, hint) in hints.all().into_iter().take(state.hints) {
        lines.push(Line::new(None, ""));
        lines.push(Line::new(Ink::Bold, title));
        lines.extend(
            wrap(hint, COLUMNS).into_iter().map(|line| Line::new(None, format!("  {line}"))),
        );
    }
    lines
}

/// Returns the line about what is going on.
pub(crate) fn status(state: &State) -> Line {
    let Tally { right, wrong, unwritten, points, max_points } = state.tally();
    let counts = format!(
        "{right} right, {wrong} wrong, {unwritten} not yet written; {} of {} points",
        text::points(points),
        text::points(max_points)
    );
    match &state.phase {
        Phase::Building => Line::new(Ink::Yellow, format!("compiling … ({counts})")),
        Phase::Running { done, all } => {
            Line::new(Ink::Yellow, format!("check {done} of {all} … ({counts})"))
        }
        Phase::DoesNotCompile(_) => Line::new(Ink::Red, "the code does not compile"),
        Phase::Failed(_) => Line::new(Ink::Red, "the checks could not be run"),
        Phase::Waiting => Line::new(Ink::Bold, counts),
    }
}
