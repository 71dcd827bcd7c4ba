//! Cells of a gradebook that have words in place of a grade.

use softmark_untrusted::Untrusted;

use crate::course::roster::RosterFormat;

/// Words in place of a grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reserved {
    /// Text of the cell.
    pub text: Untrusted,
    /// Meaning on the platform, if it is known.
    pub meaning: Option<&'static str>,
}

/// Meanings of Canvas' words.
const OF_CANVAS: [(&str, &str); 2] =
    [("EX", "excused"), ("N/A", "not assigned, or anonymous until grades are posted")];

/// Words for a grade that is not given yet, which a mark replaces.
const PENDING: [&str; 5] = ["-", "–", "—", "Needs Grading", "In Progress"];

/// Returns the words of a cell that a mark must not replace; `None` if it may replace the text: a number, no text at all, or words
/// for a grade that is not given yet.
pub(crate) fn reserved(file: RosterFormat, text: &str) -> Option<Reserved> {
    let text = text.trim();
    let is_number = text.chars().any(char::is_numeric);
    if text.is_empty() || is_number || PENDING.iter().any(|it| text.eq_ignore_ascii_case(it)) {
        return None;
    }
    let mut of_canvas = OF_CANVAS.iter().filter(|_| file == RosterFormat::Canvas);
    let known = of_canvas.find(|(word, _)| text.eq_ignore_ascii_case(word));
    Some(Reserved { text: text.into(), meaning: known.map(|(_, meaning)| *meaning) })
}
