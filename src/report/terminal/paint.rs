//! Colors, and whether there are any.

use anstyle::{AnsiColor, Effects};

use crate::model::Status;
use crate::report::text::width;

/// Use of colors in text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// No escapes at all.
    #[default]
    Plain,
    /// With colors, for a terminal that has them.
    Colored,
}

/// Options for laying out text on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The columns that a line may take; less than [`Layout::NARROWEST`] is taken as that.
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
    /// Fewer columns than this are no use.
    pub const NARROWEST: usize = 60;

    /// More columns than this are hard to read.
    pub const WIDEST: usize = 100;

    /// The columns to fill.
    pub(crate) fn columns(self) -> usize {
        self.width.clamp(Self::NARROWEST, Self::WIDEST)
    }
}

/// Role of a piece of text, which determines its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The terminal's own color.
    Plain,
    /// As it should be.
    Good,
    /// Cost points.
    Bad,
    /// Wants a look.
    Warning,
    /// Not the point.
    Faint,
    /// A heading.
    Strong,
    /// A name or command to use.
    Name,
}

impl Style {
    /// `text` in `ink`.
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

    /// `text` in `ink`, with spaces after it up to `columns`.
    pub(super) fn paint_padded(self, ink: Ink, text: &str, columns: usize) -> String {
        let rest = columns.saturating_sub(width(text));
        format!("{}{}", self.paint(ink, text), " ".repeat(rest))
    }
}

/// The mark of a check, and its color.
pub(super) fn mark(status: Status) -> (&'static str, Ink) {
    match status {
        Status::Pass => ("✓", Ink::Good),
        Status::Wrong => ("✗", Ink::Bad),
        Status::Fault => ("!", Ink::Bad),
        Status::NotImplemented => ("·", Ink::Warning),
        Status::Blocked => ("–", Ink::Faint),
    }
}
