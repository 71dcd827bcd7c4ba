//! Watch mode on a terminal.

use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::Scope;
use std::time::Duration;

use ratatui::crossterm::event::{
    self, Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Text;
use ratatui::widgets::{Block, Borders, Paragraph};
use ratatui::{DefaultTerminal, Frame};

use crate::args::Selection;
use crate::change::Change;
use crate::error::StudentError;
use crate::paper::Ink;
use crate::setting::Setting;
use crate::watch::files::Changes;
use crate::watch::state::{Event, State};
use crate::watch::view::{self, Line};
use crate::watch::work::Work;

/// Longest time until a key, a change or a result is noticed.
const TICK: Duration = Duration::from_millis(40);

/// Lines that a page key scrolls.
const PAGE: u16 = 10;

/// Names of the keys.
const KEYS: &str = "h hint   n next task   p previous task   a run all   ↑ ↓ scroll   q quit";

/// Action of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Hint,
    Next,
    Previous,
    RunAll,
    Up(u16),
    Down(u16),
    Quit,
    Nothing,
}

/// Runs the checks now and after each change, and shows the results, until the student quits.
///
/// # Errors
///
/// Fails if files cannot be watched, or the terminal fails.
pub(crate) fn watch(setting: &Setting, selection: &Selection) -> Result<(), StudentError> {
    let changes = Changes::watch(setting)?;
    let failed = |error: io::Error| StudentError::Watch(error.to_string());
    let mut terminal = ratatui::try_init().map_err(failed)?;
    let latest = AtomicU64::new(0);
    let work = Work { setting, selection };
    let state = State::new(setting, &|id| selection.contains(id));
    let shown = std::thread::scope(|scope| {
        let (send, events) = mpsc::channel();
        let mut screen = Screen { work: &work, latest: &latest, changes: &changes, state, send };
        let shown = screen.show(scope, &events, &mut terminal);
        // The work under way is of no use any more.
        Change::begin(&latest);
        shown
    });
    ratatui::restore();
    shown.map_err(failed)
}

struct Screen<'a> {
    work: &'a Work<'a>,
    /// Number of the latest change.
    latest: &'a AtomicU64,
    changes: &'a Changes,
    state: State,
    send: Sender<Event>,
}

impl<'a> Screen<'a> {
    fn show<'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        events: &Receiver<Event>,
        terminal: &mut DefaultTerminal,
    ) -> io::Result<()>
    where
        'a: 'scope,
    {
        self.start(scope);
        loop {
            terminal.draw(|frame| draw(frame, self.work.setting, &self.state))?;
            let mut action = Action::Nothing;
            if event::poll(TICK)?
                && let Input::Key(key) = event::read()?
            {
                action = action_of(key);
            }
            match action {
                Action::Quit => return Ok(()),
                Action::Hint => self.state.hint(),
                Action::Next => self.state.go(1),
                Action::Previous => self.state.back(),
                Action::Up(lines) => self.state.scroll = self.state.scroll.saturating_sub(lines),
                Action::Down(lines) => self.state.scroll = self.state.scroll.saturating_add(lines),
                Action::RunAll => self.start(scope),
                Action::Nothing => {}
            }
            for event in events.try_iter() {
                self.state.apply(event);
            }
            if self.changes.wait(Duration::ZERO) {
                self.start(scope);
            }
        }
    }

    /// Begins the work on a change, and ends that on the one before.
    fn start<'scope>(&self, scope: &'scope Scope<'scope, '_>)
    where
        'a: 'scope,
    {
        let change = Change::begin(self.latest);
        let (work, checks, send) = (self.work, self.state.checks(), self.send.clone());
        scope.spawn(move || work.work(change, &checks, &send));
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "all other keys do nothing")]
fn action_of(key: KeyEvent) -> Action {
    if key.kind == KeyEventKind::Release {
        return Action::Nothing;
    }
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if is_control => Action::Quit,
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Char('h') => Action::Hint,
        KeyCode::Char('n') | KeyCode::Tab | KeyCode::Right => Action::Next,
        KeyCode::Char('p') | KeyCode::BackTab | KeyCode::Left => Action::Previous,
        KeyCode::Char('a' | 'r') => Action::RunAll,
        KeyCode::Up | KeyCode::Char('k') => Action::Up(1),
        KeyCode::Down | KeyCode::Char('j') => Action::Down(1),
        KeyCode::PageUp => Action::Up(PAGE),
        KeyCode::PageDown => Action::Down(PAGE),
        _ => Action::Nothing,
    }
}

fn draw(frame: &mut Frame<'_>, setting: &Setting, state: &State) {
    let tasks = view::tasks(state);
    let details = view::details(setting, state);
    let height = u16::try_from(tasks.len()).unwrap_or(u16::MAX).saturating_add(2);
    let rows = [
        Constraint::Length(height),
        Constraint::Min(3),
        Constraint::Length(1),
        Constraint::Length(1),
    ];
    let [top, middle, status, keys] = Layout::vertical(rows).areas(frame.area());
    let title = if setting.assignment.title.is_empty() {
        "Public checks"
    } else {
        &setting.assignment.title
    };
    let block = Block::new().borders(Borders::TOP | Borders::BOTTOM).title(format!(" {title} "));
    frame.render_widget(Paragraph::new(text_of(&tasks)).block(block), top);
    // The last line stays on the screen.
    let lines = u16::try_from(details.len()).unwrap_or(u16::MAX);
    let scroll = state.scroll.min(lines.saturating_sub(1));
    frame.render_widget(Paragraph::new(text_of(&details)).scroll((scroll, 0)), middle);
    frame.render_widget(Paragraph::new(text_of(&[view::status(state)])), status);
    frame.render_widget(Paragraph::new(KEYS).style(style_of(Ink::Dim)), keys);
}

fn text_of(lines: &[Line]) -> Text<'static> {
    let line = |line: &Line| {
        let style = line.ink.map_or_else(Style::new, style_of);
        ratatui::text::Line::styled(line.text.clone(), style)
    };
    lines.iter().map(line).collect()
}

fn style_of(ink: Ink) -> Style {
    match ink {
        Ink::Green => Style::new().fg(Color::Green),
        Ink::Red => Style::new().fg(Color::Red),
        Ink::Yellow => Style::new().fg(Color::Yellow),
        Ink::Bold => Style::new().add_modifier(Modifier::BOLD),
        Ink::Dim => Style::new().add_modifier(Modifier::DIM),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use softmark_checks::{Check, Evidence, Outcome, Task};

    use super::*;
    use crate::assignment::Assignment;
    use crate::results::CheckResult;
    use crate::watch::state::Phase;

    static CHECKS: [Check; 2] = [
        Check { id: "rows/sum", title: "rows sum to one", run: |_, _| Ok(Outcome::Pass) },
        Check { id: "rows/order", title: "rows keep their order", run: |_, _| Ok(Outcome::Pass) },
    ];
    static MORE: [Check; 1] =
        [Check { id: "columns/sum", title: "columns sum to one", run: |_, _| Ok(Outcome::Pass) }];
    static TASKS: [Task; 2] = [
        Task {
            id: "rows",
            title: "Task 1: rows",
            file: "src/rows.rs",
            built_on: &[],
            checks: &CHECKS,
        },
        Task {
            id: "columns",
            title: "Task 2: columns",
            file: "src/columns.rs",
            built_on: &["rows"],
            checks: &MORE,
        },
    ];

    fn setting() -> Setting {
        let assignment = "id = \"lab\"\ntitle = \"A lab\"\n[[task]]\nid = \"rows\"\n\
                          check = [{ id = \"sum\", points = 1.5 }, { id = \"order\", points = 1 }]\n";
        let hints = "[\"rows/order\"]\nlook = \"At the rows.\"\npaper = \"Two rows.\"\nusual = \"Sorted?\"\n";
        let assignment: Assignment = toml::from_str(assignment).unwrap();
        let hints: BTreeMap<_, _> = toml::from_str(hints).unwrap();
        let components = || -> softmark_kit::component::Components {
            Box::new(|name, _, _| Err(softmark_kit::component::unknown(name)))
        };
        Setting { tasks: &TASKS, components, folder: ".".into(), assignment, hints }
    }

    fn shown(setting: &Setting, state: &State) -> String {
        let mut terminal = Terminal::new(TestBackend::new(76, 16)).unwrap();
        terminal.draw(|frame| draw(frame, setting, state)).unwrap();
        terminal.backend().to_string()
    }

    fn ran(check: &'static Check, points: f64, outcome: Outcome) -> Event {
        Event::Result(Box::new(CheckResult { check, points, outcome, printed: Vec::new() }))
    }

    #[test]
    fn the_screen_shows_tasks_and_the_first_check_that_does_not_pass() {
        let setting = setting();
        let mut state = State::new(&setting, &|_| true);
        assert!(shown(&setting, &state).contains("compiling …"), "{}", shown(&setting, &state));
        state.apply(Event::Phase(Phase::Running { done: 0, all: 3 }));
        state.apply(ran(&CHECKS[0], 1.5, Outcome::Pass));
        let case = Some("T=2".to_owned());
        let evidence = Evidence { case, ..Evidence::default() };
        let message = "Row 1 is where row 0 should be.".to_owned();
        state.apply(ran(&CHECKS[1], 1.0, Outcome::Wrong { message, evidence }));
        assert!(shown(&setting, &state).contains("check 2 of 3 …"), "{}", shown(&setting, &state));
        state.apply(ran(&MORE[0], 0.0, Outcome::NotImplemented { message: "task 2".to_owned() }));
        state.apply(Event::Phase(Phase::Waiting));
        state.hint();
        let text = shown(&setting, &state);
        for line in [
            " A lab ─",
            "› ✗ Task 1: rows",
            " 1 of  2 right   1.5 of 2.5 points",
            "  · Task 2: columns",
            "✗ rows keep their order  (rows/order)",
            "Row 1 is where row 0 should be.",
            "smallest case found: T=2",
            "Where to look",
            "  At the rows.",
            "1 right, 1 wrong, 1 not yet written; 1.5 of 2.5 points",
            KEYS,
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("Two rows."), "{text}");
    }

    #[test]
    fn a_finished_task_makes_way_for_the_next() {
        let setting = setting();
        let mut state = State::new(&setting, &|_| true);
        state.apply(ran(&CHECKS[0], 1.5, Outcome::Pass));
        state.apply(ran(&CHECKS[1], 1.0, Outcome::Pass));
        state.apply(Event::Phase(Phase::Waiting));
        assert_eq!(state.current, 1);
        assert_eq!(state.checks()[0].id, "columns/sum");
        state.go(1);
        assert_eq!(state.current, 0);
        assert!(shown(&setting, &state).contains("all public checks of this task pass"));
        state.back();
        assert_eq!(state.current, 1);
    }

    #[test]
    fn a_task_on_an_unfinished_one_says_where_to_begin() {
        let setting = setting();
        let mut state = State::new(&setting, &|_| true);
        let wrong = || Outcome::Wrong { message: "No.".to_owned(), evidence: Evidence::default() };
        state.apply(ran(&CHECKS[0], 1.5, wrong()));
        state.apply(ran(&CHECKS[1], 1.0, Outcome::Pass));
        state.apply(ran(&MORE[0], 0.0, wrong()));
        assert!(!shown(&setting, &state).contains("begin there"));
        state.go(1);
        let text = shown(&setting, &state);
        assert!(text.contains("it runs on your own task 1, which is not right yet"), "{text}");
        state.apply(ran(&CHECKS[0], 1.5, Outcome::Pass));
        assert!(!shown(&setting, &state).contains("not right yet"));
    }

    #[test]
    fn what_the_grader_rejects_is_shown_first() {
        let setting = setting();
        let mut state = State::new(&setting, &|_| true);
        state.apply(Event::Rejected(vec!["`src/rows.rs` is missing".to_owned()]));
        state.apply(Event::Phase(Phase::DoesNotCompile(vec!["error[E0583]".to_owned()])));
        let text = shown(&setting, &state);
        let (rejected, compiler) = (text.find("is missing"), text.find("error[E0583]"));
        assert!(rejected.is_some() && rejected < compiler, "{text}");
    }

    #[test]
    fn keys_are_understood() {
        let of = |code: KeyCode, modifiers: KeyModifiers| action_of(KeyEvent::new(code, modifiers));
        let plain = |c: char| of(KeyCode::Char(c), KeyModifiers::NONE);
        assert_eq!(
            ['h', 'n', 'p', 'a', 'q'].map(plain),
            [Action::Hint, Action::Next, Action::Previous, Action::RunAll, Action::Quit]
        );
        assert_eq!(of(KeyCode::Char('c'), KeyModifiers::CONTROL), Action::Quit);
        assert_eq!(plain('c'), Action::Nothing);
        assert_eq!(of(KeyCode::PageDown, KeyModifiers::NONE), Action::Down(PAGE));
    }
}
