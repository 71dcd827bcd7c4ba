//! Text of a course's file, for positions in messages.

use std::fs;
use std::path::{Path, PathBuf};

use crate::course::{FILE, Position};

/// Text of the `softmark.toml` of a course.
pub(crate) struct CourseText {
    path: PathBuf,
    text: String,
}

impl CourseText {
    /// Reads the file of the course in the folder `home`. One that has gone meanwhile is empty.
    pub(crate) fn read(home: &Path) -> Self {
        let path = home.join(FILE);
        let text = fs::read_to_string(&path).unwrap_or_default();
        Self { path, text }
    }

    /// Returns path, line and column of a byte.
    pub(crate) fn position(&self, byte: usize) -> String {
        self.at(Position::of(&self.text, byte))
    }

    /// Returns path, line and column of the table of an assignment.
    pub(crate) fn position_of_assignment(&self, id: &str) -> String {
        self.at(Position::of_assignment(&self.text, id))
    }

    fn at(&self, Position { line, column }: Position) -> String {
        format!("{}:{line}:{column}", self.path.display())
    }
}
