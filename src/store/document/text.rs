//! JSON text that is safe to print.

use std::fmt::Write as _;

use serde::Serialize;

/// `value` as indented JSON that ends in a newline.
///
/// A student's text may hold characters that JSON allows as they are and a terminal acts on: the
/// second block of control characters, and marks that turn the direction of writing.
/// They are written as escapes, which every reader turns back. The list is the one of
/// `report::text`, which comes after this module and shows them in another way.
pub(super) fn pretty(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string_pretty(value)?;
    let mut text = String::with_capacity(json.len() + 1);
    for character in json.chars() {
        // Outside strings the document is printable ASCII and newlines, so whatever else needs an
        // escape stands in a string.
        if needs_escape(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a `String` cannot fail.
                write!(text, "\\u{unit:04x}").ok();
            }
        } else {
            text.push(character);
        }
    }
    text.push('\n');
    Ok(text)
}

fn needs_escape(character: char) -> bool {
    (character.is_control() && character != '\n')
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{180e}'
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{3164}' | '\u{ffa0}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
        || u32::from(character) & 0xfffe == 0xfffe
}
