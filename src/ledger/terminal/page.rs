//! Lines of a page, and the checks that moved.

use std::io;

use crate::ledger::change::CheckChange;
use crate::ledger::words;
use crate::report::Layout;
use crate::report::terminal::Ink;
use crate::report::text::{fit, pad, pad_left, width, wrap};

/// Most checks that are listed for one change.
const MOST_CHECKS: usize = 12;

/// Page that is being printed.
pub(super) struct Page<'a> {
    pub(super) layout: Layout,
    pub(super) out: &'a mut dyn io::Write,
}

impl Page<'_> {
    /// Prints a heading with text at the right edge, and a rule.
    pub(super) fn heading(&mut self, title: &str, about: &str) -> io::Result<()> {
        let columns = self.layout.columns();
        let title = fit(title, columns.saturating_sub(width(about) + 1));
        let gap = columns.saturating_sub(width(&title) + width(about));
        self.line(0, Ink::Strong, &format!("{title}{}{about}", " ".repeat(gap)))?;
        self.line(0, Ink::Faint, &"─".repeat(columns))
    }

    /// Prints one line.
    pub(super) fn line(&mut self, indent: usize, ink: Ink, text: &str) -> io::Result<()> {
        let text = fit(text, self.layout.columns().saturating_sub(indent));
        writeln!(self.out, "{:indent$}{}", "", self.layout.style.paint(ink, &text))
    }

    /// Prints text that may take several lines.
    pub(super) fn text(&mut self, indent: usize, ink: Ink, text: &str) -> io::Result<()> {
        for part in wrap(text, self.layout.columns().saturating_sub(indent)) {
            self.line(indent, ink, &part)?;
        }
        Ok(())
    }

    /// Prints the checks that moved.
    pub(super) fn checks(&mut self, indent: usize, checks: &[CheckChange]) -> io::Result<()> {
        let shown = checks.iter().take(MOST_CHECKS);
        let ids = shown.clone().map(|change| width(&change.check.to_string()));
        let widest = ids.max().unwrap_or(0).min(44);
        for change in shown {
            let delta = change.delta();
            let ink = match delta.hundredths() {
                0 => Ink::Faint,
                1.. => Ink::Good,
                _ => Ink::Bad,
            };
            let id = pad(&fit(&change.check.to_string(), widest), widest);
            let delta = pad_left(&delta.to_string(), 7);
            self.line(indent, ink, &format!("{delta}  {id}  {}", words::check(change)))?;
        }
        let more = checks.len().saturating_sub(MOST_CHECKS);
        if more > 0 {
            self.line(indent, Ink::Faint, &format!("         … and {more} more"))?;
        }
        Ok(())
    }
}
