//! Section with the pages of the mistakes that a page names.

use std::io;

use softmark_exam::Mistake;

use crate::model::Record;
use crate::report::summary::known_mistakes;
use crate::suite::Catalog;

use super::escape::Text;
use super::markdown::Page;

/// Writes the page of each mistake that a check of these records names, once; nothing if there is none.
pub(super) fn write(
    records: &[Record],
    catalog: Catalog,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mistakes = known_mistakes(records, catalog);
    if mistakes.is_empty() {
        return Ok(());
    }
    writeln!(out, "<article class=\"mistakes\">\n<h2>Mistakes that were recognised</h2>")?;
    for Mistake { id, summary, page, .. } in mistakes {
        writeln!(out, "<section id=\"mistake-{}\">", Text(id))?;
        writeln!(out, "<h3><code class=\"mistake\">{}</code></h3>", Text(id))?;
        writeln!(out, "<p class=\"lead\">{}</p>\n{}</section>", Text(summary), Page(page))?;
    }
    writeln!(out, "</article>")
}
