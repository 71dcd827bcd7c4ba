//! Writes self-contained HTML pages: the class, then each submission; or one submission for its student.
//!
//! Invariant: a page has no scripts, loads nothing, and escapes every text of unknown origin.

mod checks;
mod class;
mod escape;
pub mod feedback;
mod markdown;
mod mistakes;
mod submission;

use std::io;

use crate::model::Grader;
use crate::report::audience::View;
use crate::report::summary;
use crate::suite::Catalog;
use checks::{Explained, Mistakes};
pub(crate) use escape::Text;

/// Style of pages with grades and checks, behind what all pages share.
pub(crate) const STYLE: &str = include_str!("style.css");

/// Writes the page of a run.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(view: &View<'_>, catalog: Catalog, out: &mut dyn io::Write) -> io::Result<()> {
    let groups = summary::groups(view.run());
    let title = match groups.as_slice() {
        [group] if !group.assignment.is_empty() => format!("{}: grades", group.assignment),
        _ => "Grades".to_owned(),
    };
    begin(&title, STYLE, out)?;
    for group in &groups {
        class::write(group, out)?;
    }
    let explained_by =
        if view.is_for_students() { Explained::OnPage } else { Explained::ByCommand };
    let mistakes = Mistakes { catalog, explained_by };
    writeln!(out, "<main>")?;
    for group in &groups {
        for (place, record) in &group.records {
            submission::write(*place, record, mistakes, out)?;
        }
    }
    if explained_by == Explained::OnPage {
        mistakes::write(&view.run().records, catalog, out)?;
    }
    writeln!(out, "</main>")?;
    end(&view.run().grader, out)
}

/// Ends a page with the settings of the grader.
fn end(grader: &Grader, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(
        out,
        "<footer>Softmark {}, sandbox {}</footer>\n</body>\n</html>",
        Text(summary::grader_settings(grader)),
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
