//! Findings of `grade doctor`.

use std::io;

use softmark_untrusted::Untrusted;

use crate::report::text::wrap;

/// Columns reserved for a finding's name.
const NAME: usize = 12;

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// The requirement is met.
    Good,
    /// Grading works, and could work better.
    Weak,
    /// Grading does not work.
    Bad,
}

/// Result of checking one requirement.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    pub(super) mark: Mark,
    pub(super) name: &'static str,
    text: Untrusted,
}

impl Finding {
    /// Returns a finding.
    pub(super) fn new(mark: Mark, name: &'static str, text: impl Into<Untrusted>) -> Self {
        Self { mark, name, text: text.into() }
    }

    /// Writes the finding in lines of `width` columns.
    pub(super) fn write(&self, width: usize, out: &mut dyn io::Write) -> io::Result<()> {
        let mark = match self.mark {
            Mark::Good => "ok",
            Mark::Weak => "!",
            Mark::Bad => "✗",
        };
        let mut lead = format!("{mark:<3} {:NAME$}", self.name);
        let room = width.saturating_sub(NAME + 4).max(40);
        for part in wrap(&self.text.lines().join(" "), room) {
            writeln!(out, "{lead}{part}")?;
            lead = " ".repeat(NAME + 4);
        }
        Ok(())
    }
}
