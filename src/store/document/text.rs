//! JSON text that is safe to print.

use std::fmt::Write as _;

use serde::Serialize;

/// `value` as indented JSON that ends in a newline.
///
/// A student's text may hold characters that JSON allows as they are and a terminal acts on: the
/// second block of control characters, and marks that turn the direction of writing.
/// They are written as escapes, which every reader turns back.
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
            '\u{061c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
