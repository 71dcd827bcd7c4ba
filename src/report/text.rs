//! Layout of text: marks, widths, wrapping and numbers.

use softmark_untrusted::{Untrusted, char_width};

/// Mark at the left edge of text that is not the grader's own.
pub const EDGE: &str = "│ ";

/// Returns the lines of `text`, each marked at its left edge as somebody else's: whatever it looks like, it is
/// not taken for a line of the report.
///
/// ```
/// use softmark::report::text::quoted;
///
/// assert_eq!(quoted(&"note: all points\n\n".into()), ["│ note: all points"]);
/// ```
pub fn quoted(text: &Untrusted) -> Vec<String> {
    text.lines().iter().map(|text| marked(text)).collect()
}

/// Returns the lines of a message: the first is the grader's own sentence, and what comes after it may be a
/// student's text, so it is marked as in [`quoted()`].
pub fn message(text: &Untrusted) -> Vec<String> {
    let mut shown = text.lines().into_iter();
    let first = shown.next();
    first.into_iter().chain(shown.map(|text| marked(&text))).collect()
}

fn marked(text: &str) -> String {
    format!("{EDGE}{text}").trim_end().to_owned()
}

/// Returns the columns that a terminal gives to `text`, approximately for East Asian and combining letters.
pub fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Returns `text`, cut with `…` if it takes more than `columns`.
///
/// ```
/// use softmark::report::text::fit;
///
/// assert_eq!(fit("amara", 5), "amara");
/// assert_eq!(fit("bastien", 5), "bast…");
/// ```
pub fn fit(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += char_width(character);
        if used + 1 > columns {
            break;
        }
        cut.push(character);
    }
    cut.push('…');
    cut
}

/// Returns `text` with spaces after it up to `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Returns `text` with spaces before it up to `columns`.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Breaks `text` at spaces into lines of at most `columns`; a longer word is broken anywhere.
///
/// ```
/// use softmark::report::text::wrap;
///
/// assert_eq!(wrap("each row of weights", 11), ["each row of", "weights"]);
/// assert_eq!(wrap("supercalifragilistic", 11), ["supercalifr", "agilistic"]);
/// ```
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut wrapped = Vec::new();
    let mut current = String::new();
    for word in text.split_whitespace() {
        if !current.is_empty() && width(&current) + 1 + width(word) > columns {
            wrapped.push(std::mem::take(&mut current));
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
        if width(&current) > columns {
            let mut pieces = chop(&current, columns);
            current = pieces.pop().unwrap_or_default();
            wrapped.append(&mut pieces);
        }
    }
    if !current.is_empty() || wrapped.is_empty() {
        wrapped.push(current);
    }
    wrapped
}

/// Breaks text in which spaces matter where a line of `columns` is full: after the last space of the line if
/// it is in the second half, else anywhere.
///
/// ```
/// use softmark::report::text::chop;
///
/// assert_eq!(chop("let  mask = rows", 12), ["let  mask = ", "rows"]);
/// assert_eq!(chop("a supercalifragilistic", 12), ["a supercalif", "ragilistic"]);
/// ```
pub fn chop(text: &str, columns: usize) -> Vec<String> {
    // A wide letter must fit, or no line would ever be long enough.
    let columns = columns.max(2);
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for character in text.chars() {
        if width(&piece) + char_width(character) > columns {
            let after_space = piece.rfind(' ').map_or(0, |space| space + 1);
            let whole = width(piece.get(..after_space).unwrap_or_default()) * 2 > columns;
            let rest = if whole { piece.split_off(after_space) } else { String::new() };
            pieces.push(std::mem::replace(&mut piece, rest));
        }
        piece.push(character);
    }
    pieces.push(piece);
    pieces
}

/// Returns a measured number with at most nine significant digits.
///
/// ```
/// use softmark::report::text::number;
///
/// assert_eq!(number(0.1 + 0.2), "0.3");
/// assert_eq!(number(1.2e-6), "1.2e-6");
/// assert_eq!(number(-0.0), "0");
/// assert_eq!(number(f64::NEG_INFINITY), "-inf");
/// ```
pub fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.8e}").parse().unwrap_or(value);
    // Adding zero turns a negative zero into the plain one.
    let rounded = rounded + 0.0;
    let magnitude = rounded.abs();
    if rounded == 0.0 || !rounded.is_finite() || (1e-4..1e9).contains(&magnitude) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

/// Returns the first `most` names, and how many more there are.
///
/// ```
/// use softmark::report::text::first_few;
///
/// assert_eq!(first_few(&["amara", "bao"], 2), "amara, bao");
/// assert_eq!(first_few(&["amara", "bao", "chiara"], 2), "amara, bao, and 1 more");
/// ```
pub fn first_few<N: ToString>(names: &[N], most: usize) -> String {
    let mut shown: Vec<String> = names.iter().take(most).map(ToString::to_string).collect();
    let more = names.len().saturating_sub(most);
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown.join(", ")
}

/// Returns `count` and its noun, in the singular for one.
pub fn count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
