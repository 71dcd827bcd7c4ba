//! Text of unknown origin, made fit to be shown.
//!
//! What a student wrote may hold terminal escapes, marks that turn the direction of writing, and
//! names of ten thousand letters. It is shown as what it is: an escape as `␛`, a mark as
//! `\u{202e}`.

use std::fmt::Write as _;

/// Zero-width characters that may follow one another; more would climb into other lines.
const MAX_STACKED: usize = 4;

/// What stands at the left edge of text that is not the grader's own.
pub const EDGE: &str = "│ ";

/// Spaces for a tab.
const TAB: &str = "    ";

/// `text` as one line: nothing in it moves a cursor, and nothing is lost from sight.
///
/// ```
/// use softmark::report::text::line;
///
/// assert_eq!(line("a\u{1b}[2Jb\n"), "a␛[2Jb␊");
/// assert_eq!(line("gnp.\u{202e}exe"), "gnp.\\u{202e}exe");
/// assert_eq!(line("naïve 語"), "naïve 語");
/// ```
pub fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut stacked = 0;
    for character in text.chars() {
        stacked = if char_width(character) == 0 { stacked + 1 } else { 0 };
        match character {
            '\t' => shown.push_str(TAB),
            // The block of control pictures follows the order of the control characters.
            '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(character))),
            '\u{7f}' => shown.push('␡'),
            _ if is_treacherous(character) || stacked > MAX_STACKED => {
                // Writing to a `String` cannot fail.
                write!(shown, "\\u{{{:x}}}", u32::from(character)).ok();
            }
            _ => shown.push(character),
        }
    }
    shown
}

/// `text` as lines, each as [`line()`] gives it; the empty ones at the end are dropped.
pub fn lines(text: &str) -> Vec<String> {
    text.trim_end().lines().map(|text| line(text.trim_end())).collect()
}

/// `text` as lines, each marked at its left edge as somebody else's: whatever it looks like, it is
/// not taken for a line of the report.
///
/// ```
/// use softmark::report::text::quoted;
///
/// assert_eq!(quoted("note: all points\n\n"), ["│ note: all points"]);
/// ```
pub fn quoted(text: &str) -> Vec<String> {
    lines(text).iter().map(|text| marked(text)).collect()
}

/// A message as lines: the first is the grader's own sentence, and what comes after it may be a
/// student's text, so it is marked as in [`quoted()`].
pub fn message(text: &str) -> Vec<String> {
    let mut shown = lines(text).into_iter();
    let first = shown.next();
    first.into_iter().chain(shown.map(|text| marked(&text))).collect()
}

fn marked(text: &str) -> String {
    format!("{EDGE}{text}").trim_end().to_owned()
}

/// Whether a character is not what it looks like: controls, marks of direction, what takes no
/// space, and what no document may hold.
///
/// All that Unicode calls a format character or ignorable, but for what ordinary text is written
/// with: the two that join letters or keep them apart, and the selectors of a letter's look.
fn is_treacherous(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{180e}'
            // Letters that are blank.
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{3164}' | '\u{ffa0}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            // Marks of hieroglyphs, shorthand and music.
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            // Tags, and what is kept free for more of the like.
            | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
        || u32::from(character) & 0xfffe == 0xfffe
}

/// The columns that a terminal gives to `text`; near enough for East Asian and combining letters.
pub fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

fn char_width(character: char) -> usize {
    match character {
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}'
        | '\u{e31}'
        | '\u{e34}'..='\u{e3a}'
        | '\u{e47}'..='\u{e4e}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{200c}'
        | '\u{200d}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}'
        | '\u{e0100}'..='\u{e01ef}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// `text`, cut with `…` where it takes more than `columns`.
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

/// `text`, with spaces after it up to `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// `text`, with spaces before it up to `columns`.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// `text` broken at spaces into lines of at most `columns`; a longer word is broken anywhere.
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

/// `text` broken where a line of `columns` is full, for text in which spaces matter: after the last
/// space of the line where one stands in its second half, else anywhere.
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

/// A measured number, in nine significant digits at most.
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

/// `count` things, in the singular where there is one.
pub fn count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
