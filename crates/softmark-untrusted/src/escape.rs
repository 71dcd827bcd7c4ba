//! Escapes for characters that are not printed as they are.

use std::fmt::Write as _;

/// Most zero-width characters that may follow one another; more would cover other lines.
const MAX_STACKED: usize = 4;

/// Spaces for a tab.
const TAB: &str = "    ";

/// Returns `text` as one printable line: a control character as its picture (`␛`), any other character that
/// is not printed as it is as its number (`\u{202e}`). Escaped text stays as it is.
///
/// Text from submissions is an [`Untrusted`](super::Untrusted), which calls this itself. Only writers of a
/// format call it, for whatever else they print.
pub fn escape_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut stacked = 0;
    for character in text.chars() {
        stacked = if char_width(character) == 0 { stacked + 1 } else { 0 };
        match character {
            '\t' => shown.push_str(TAB),
            // The block of control pictures follows the order of the control characters.
            '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(character))),
            '\u{7f}' => shown.push('␡'),
            _ if is_unprintable(character) || stacked > MAX_STACKED => {
                // Writing to a `String` cannot fail.
                write!(shown, "\\u{{{:x}}}", u32::from(character)).ok();
            }
            _ => shown.push(character),
        }
    }
    shown
}

/// Returns true if a character is not what it looks like: controls, marks of direction, characters without
/// width, and characters that no document may contain.
///
/// These are all that Unicode calls a format character or ignorable, except those with which ordinary text is
/// written: the two that join or separate letters, and variation selectors.
pub fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{180e}'
            // Letters that are blank.
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{3164}' | '\u{ffa0}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            // Marks of hieroglyphs, shorthand and music.
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            // Tags, and what is reserved for more of them.
            | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
        || u32::from(character) & 0xfffe == 0xfffe
}

/// Returns the columns that a terminal gives to a character, approximately for East Asian and combining
/// letters.
pub fn char_width(character: char) -> usize {
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
