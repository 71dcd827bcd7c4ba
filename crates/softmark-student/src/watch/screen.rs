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

/// What a key asks for.
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
