//! Writes a self-contained HTML page: the class, then each submission.
//!
//! Invariant: the page has no scripts, loads nothing, and escapes every text of unknown origin.

mod class;
mod escape;
mod submission;

use std::io;

use crate::model::Run;
use crate::report::summary;
use crate::suite::Catalog;
pub(crate) use escape::Text;

/// Style of pages with grades and checks, behind what all pages share.
pub(crate) const STYLE: &str = include_str!("style.css");

/// Writes the page, as the instructor may see it.
///
/// For a page that students may see, hand in records from
/// [`for_student`](crate::report::for_student).
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(run: &Run, catalog: Catalog, out: &mut dyn io::Write) -> io::Result<()> {
    let groups = summary::groups(run);
    let title = match groups.as_slice() {
        [group] if !group.assignment.is_empty() => format!("{}: grades", group.assignment),
        _ => "Grades".to_owned(),
    };
    begin(&title, STYLE, out)?;
    for group in &groups {
        class::write(group, out)?;
    }
    writeln!(out, "<main>")?;
    for group in &groups {
        for (place, record) in &group.records {
            submission::write(*place, record, catalog, out)?;
        }
    }
    writeln!(out, "</main>")?;
    let grader = &run.grader;
    writeln!(
        out,
        "<footer>Softmark {}, seed {}, {}, sandbox {}</footer>\n</body>\n</html>",
        Text(&grader.version),
        grader.seed,
        Text(&grader.device),
        Text(&grader.sandbox)
    )
}

/// Begins a page, up to and with `<body>`; `style` stands behind what all pages share: colours, text, code and tables.
pub(crate) fn begin(title: &str, style: &str, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    )?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<meta name=\"color-scheme\" content=\"light dark\">")?;
    writeln!(out, "<title>{}</title>", Text(title))?;
    writeln!(out, "<style>\n{}{style}</style>\n</head>\n<body>", include_str!("page.css"))
}
