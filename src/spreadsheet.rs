//! Text that a spreadsheet shows and does not run.

/// `text`, with an apostrophe before it where a spreadsheet would take it for a formula.
pub(crate) fn defused(text: &str) -> String {
    // Spreadsheets skip spaces before a formula, and take the wide forms of the signs as well.
    if text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}
