//! Text that a spreadsheet shows and does not evaluate.

/// Returns `text`, with an apostrophe before it if a spreadsheet would take it for a formula.
pub(crate) fn defused(text: &str) -> String {
    // Spreadsheets skip spaces before a formula, and also accept full-width forms of the signs.
    if text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}
