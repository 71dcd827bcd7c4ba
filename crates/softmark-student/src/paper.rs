//! Text for a terminal or a file.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

/// Columns of a paragraph, without its indent.
pub(crate) const COLUMNS: usize = 92;

/// Colour of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Checks that pass.
    Green,
    /// Checks that fail.
    Red,
    /// Checks that reached a stub.
    Yellow,
    /// Titles.
    Bold,
    /// Secondary text.
    Dim,
}

/// Writer of lines, with or without colours.
pub(crate) struct Paper<'a> {
    out: &'a mut dyn Write,
    has_color: bool,
}

impl<'a> Paper<'a> {
    /// Returns a writer to `out`.
    pub(crate) fn new(out: &'a mut dyn Write, has_color: bool) -> Self {
        Self { out, has_color }
    }

    /// Returns the text in a colour, if there are colours.
    pub(crate) fn ink(&self, ink: Ink, text: &str) -> String {
        if !self.has_color {
            return text.to_owned();
        }
        let code = match ink {
            Ink::Green => "32",
            Ink::Red => "31",
            Ink::Yellow => "33",
            Ink::Bold => "1",
            Ink::Dim => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Writes a line in a colour.
    pub(crate) fn inked(&mut self, ink: Ink, text: &str) -> io::Result<()> {
        let text = self.ink(ink, text);
        self.line(&text)
    }

    /// Writes text in lines of at most [`COLUMNS`], behind `lead`, which is blank from the second line on.
    pub(crate) fn paragraph(&mut self, lead: &str, text: &str) -> io::Result<()> {
        let blank = " ".repeat(lead.width());
        for (place, line) in wrap(text, COLUMNS).iter().enumerate() {
            let lead = if place == 0 { lead } else { &blank };
            self.line(format!("{lead}{line}").trim_end())?;
        }
        Ok(())
    }
}

/// Breaks `text` between words so that no line is wider than `columns`, but for words that are.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.width() + 1 + word.width() > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_loses_no_word() {
        let text = "one two three four five six seven";
        assert_eq!(wrap(text, 9).join(" "), text);
        assert!(wrap(text, 9).iter().all(|line| line.width() <= 9));
        assert_eq!(wrap("漢字 漢字", 5), ["漢字", "漢字"]);
    }

    #[test]
    fn a_paragraph_stands_behind_its_lead() {
        let mut out = Vec::new();
        let text = "word ".repeat(25);
        Paper::new(&mut out, false).paragraph("  ✗ ", &text).unwrap();
        let out = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].starts_with("  ✗ word") && lines[1].starts_with("    word"), "{out}");
    }
}
