//! Escapes for characters that are not printed as they are.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

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
            // Most text.
            ' '..='~' => shown.push(character),
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

/// Returns the columns that a terminal gives to a character; 0 for marks that are drawn on the character before.
pub fn char_width(character: char) -> usize {
    character.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks of any script: those that are drawn above a letter would cover the lines above.
    #[test]
    fn stacks_of_marks_are_cut() {
        for mark in ['\u{301}', '\u{6d6}', '\u{5c4}', '\u{20e4}', '\u{1ab0}'] {
            let text = format!("a{}", String::from(mark).repeat(500));
            let shown = escape_line(&text);
            let kept = shown.chars().filter(|character| *character == mark).count();
            assert_eq!(kept, MAX_STACKED, "{mark:?}");
        }
    }
}
