//! Markdown with tables: the class, then each submission.
//!
//! Invariant: text of unknown origin is neither markup nor the beginning of a line, and in blocks of code it cannot end
//! the block.

mod class;
mod escape;
mod mistakes;
mod submission;

use std::io;

use crate::report::audience::View;
use crate::report::summary;
use crate::suite::Catalog;
use escape::Text;

/// Writes a run.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(view: &View<'_>, catalog: Catalog, out: &mut dyn io::Write) -> io::Result<()> {
    let run = view.run();
    for group in &summary::groups(run) {
        writeln!(out, "# {}\n", Text(group.name()))?;
        if group.records.len() > 1 {
            class::write(group, out)?;
        }
        for (_, record) in &group.records {
            submission::write(record, view, catalog, out)?;
        }
    }
    if view.is_for_students() {
        mistakes::write(&run.records, catalog, out)?;
    }
    let settings = summary::grader_settings(&run.grader);
    writeln!(out, "Softmark {}, sandbox {}", Text(settings), Text(&run.grader.sandbox))
}
