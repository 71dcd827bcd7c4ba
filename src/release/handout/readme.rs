//! Handout as Markdown with its formulas in Unicode.

use pulldown_cmark::{Event, Tag, TagEnd};

use super::error::HandoutError;
use super::markdown::{Part, Source};
use crate::release::math::{Layout, unicode};

/// Returns the text of a handout with its formulas as code in Unicode; nothing else is changed.
///
/// # Errors
///
/// Fails if a formula cannot be read.
pub(super) fn readme(source: Source<'_>, parts: &[Part<'_>]) -> Result<String, HandoutError> {
    let mut text = String::new();
    let mut done = 0;
    let mut is_in_table = false;
    for (event, range) in parts {
        is_in_table |= matches!(event, Event::Start(Tag::Table(_)));
        is_in_table &= *event != Event::End(TagEnd::Table);
        let written = if let Event::InlineMath(formula) = event {
            let formula = unicode(&source.formula((formula, range), Layout::Inline)?);
            // In a table, a bar would end the cell.
            format!("`{}`", if is_in_table { formula.replace('|', "\\|") } else { formula })
        } else if let Event::DisplayMath(formula) = event {
            let formula = source.formula((formula, range), Layout::Displayed)?;
            let before = source.at(0..range.start);
            indented(&unicode(&formula), before.rsplit('\n').next().unwrap_or_default())
        } else {
            continue;
        };
        text.push_str(source.at(done..range.start));
        text.push_str(&written);
        done = range.end;
    }
    text.push_str(source.at(done..source.text().len()));
    Ok(text)
}

/// Returns a block of code; its lines after the first are indented as the first is by what is `before` it in its line.
fn indented(code: &str, before: &str) -> String {
    let indent: String = before.chars().map(|c| if c == '>' { c } else { ' ' }).collect();
    let lines = ["```text"].into_iter().chain(code.lines()).chain(["```"]);
    lines.collect::<Vec<_>>().join(&format!("\n{indent}"))
}
