//! Colors of text.

use anstyle::{AnsiColor, Effects};

use crate::model::Status;
use crate::report::text::width;

/// Use of colors in text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// Text without escape sequences.
    #[default]
    Plain,
    /// Colored text, for a terminal that supports colors.
    Colored,
}

/// Options for laying out text on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Columns of a line; a value below [`Layout::NARROWEST`] counts as that.
    pub width: usize,
    /// Use of colors.
    pub style: Style,
}

impl Default for Layout {
    fn default() -> Self {
        Self { width: 100, style: Style::Plain }
    }
}

impl Layout {
    /// Least number of columns for a readable report.
    pub const NARROWEST: usize = 60;

    /// Largest number of columns for a readable line.
    pub const WIDEST: usize = 100;

    /// Returns the columns to fill.
    pub(crate) fn columns(self) -> usize {
        self.width.clamp(Self::NARROWEST, Self::WIDEST)
    }
}

/// Role of a piece of text, which determines its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Default color of the terminal.
    Plain,
    /// Text about a success.
    Good,
    /// Text about lost points.
    Bad,
    /// Text that needs attention.
    Warning,
    /// Secondary text.
    Faint,
    /// Heading.
    Strong,
    /// Name or command to use.
    Name,
}

impl Style {
    /// Returns `text` in the color of `ink`.
    pub(crate) fn paint(self, ink: Ink, text: &str) -> String {
        let style = match ink {
            Ink::Plain => return text.to_owned(),
            Ink::Good => AnsiColor::Green.on_default(),
            Ink::Bad => AnsiColor::Red.on_default(),
            Ink::Warning => AnsiColor::Yellow.on_default(),
            Ink::Faint => anstyle::Style::new().effects(Effects::DIMMED),
            Ink::Strong => anstyle::Style::new().bold(),
            Ink::Name => AnsiColor::Cyan.on_default(),
        };
        match self {
            Self::Colored if !text.is_empty() => format!("{style}{text}{style:#}"),
            Self::Plain | Self::Colored => text.to_owned(),
        }
    }

    /// Returns `text` in the color of `ink`, padded with spaces to `columns`.
    pub(super) fn paint_padded(self, ink: Ink, text: &str, columns: usize) -> String {
        let rest = columns.saturating_sub(width(text));
        format!("{}{}", self.paint(ink, text), " ".repeat(rest))
    }
}

/// Returns the mark of a check, and its color.
pub(super) fn mark(status: Status) -> (&'static str, Ink) {
    match status {
        Status::Pass => ("✓", Ink::Good),
        Status::Wrong => ("✗", Ink::Bad),
        Status::Fault => ("!", Ink::Bad),
        Status::NotImplemented => ("·", Ink::Warning),
        Status::Blocked => ("–", Ink::Faint),
    }
}
