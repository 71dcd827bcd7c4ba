//! Prints the answers of one submission that a person marks.

use std::io;

use super::{POINTS, Page};
use crate::model::Record;
use crate::report::terminal::paint::Ink;
use crate::report::text::{count, pad, pad_left, wrap};

impl Page<'_> {
    /// Writes the answers that a person marks.
    pub(super) fn written(&mut self, record: &Record) -> io::Result<()> {
        if record.written.is_empty() {
            return Ok(());
        }
        self.blank()?;
        self.line(0, Ink::Strong, "For a person to mark, apart from the points above")?;
        for written in &record.written {
            let words = written.text.count_words();
            let title = format!("{} ({})", written.title, count(words, "word", "words"));
            let columns = self.layout.columns();
            let given = written.points.map_or_else(|| "open".to_owned(), |it| it.to_string());
            let points = pad_left(&format!("{given} / {}", written.max_points), POINTS);
            let room = columns - 4 - POINTS - 1;
            for (place, part) in wrap(&title, room).iter().enumerate() {
                if place == 0 {
                    writeln!(self.out, "  · {} {points}", pad(part, room))?;
                } else {
                    writeln!(self.out, "    {part}")?;
                }
            }
            for item in &written.rubric {
                for part in wrap(&format!("{} {}", item.points, item.text), columns - 6) {
                    writeln!(self.out, "      {part}")?;
                }
            }
            if !written.comment.is_empty() {
                for part in wrap(&written.comment.to_string(), columns - 6) {
                    writeln!(self.out, "      {part}")?;
                }
            }
        }
        Ok(())
    }
}
