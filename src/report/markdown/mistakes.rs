//! Pages of the mistakes that a document names.

use std::io;

use softmark_exam::Mistake;

use crate::model::Record;
use crate::report::summary::known_mistakes;
use crate::suite::Catalog;

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
    writeln!(out, "# Mistakes that were recognised\n")?;
    for Mistake { id, summary, page, .. } in mistakes {
        writeln!(out, "## {id}\n\n{summary}.\n\n{}\n", below(page.trim_end()))?;
    }
    Ok(())
}

/// Returns a page whose headings are one level lower; lines in blocks of code stay as they are.
fn below(page: &str) -> String {
    let mut is_code = false;
    let mut lowered = Vec::new();
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        let is_heading = line.starts_with('#') && !is_code;
        lowered.push(if is_heading { format!("#{line}") } else { line.to_owned() });
    }
    lowered.join("\n")
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn headings_are_lowered_and_code_is_not() {
        let page = "## Why\n\n```rust\n#[test]\n```\n## Where";
        assert_eq!(below(page), "### Why\n\n```rust\n#[test]\n```\n### Where");
    }
}
