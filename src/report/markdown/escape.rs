//! Escapes text for Markdown.

use std::fmt;

use softmark_untrusted::escape_line;

/// Prints anything as text within a line, below any heading, in any cell: nothing in it is markup.
#[derive(Debug)]
pub(super) struct Text<T>(pub(super) T);

impl<T: fmt::Display> fmt::Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = escape_line(&self.0.to_string());
        let text = line.trim();
        // What only the beginning of a block makes markup: `1.`, `-`, `+`, `=`.
        let number = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        for (place, character) in text.char_indices() {
            let begins_block = match character {
                '-' | '+' | '=' => place == 0,
                '.' | ')' => place == number && number > 0 && is_followed_by_space(text, place),
                _ => false,
            };
            let before = text.get(..place).unwrap_or_default();
            let after = text.get(place..).unwrap_or_default();
            // Addresses become links in some dialects.
            let is_address = after.starts_with("://")
                || (character == '.' && before.to_ascii_lowercase().ends_with("www"));
            if begins_block || is_address || is_markup(character) {
                f.write_str("\\")?;
            }
            write!(f, "{character}")?;
        }
        Ok(())
    }
}

/// Returns true if the character at `place` is the last of a word.
fn is_followed_by_space(text: &str, place: usize) -> bool {
    text.get(place + 1..)
        .is_none_or(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// Returns true if a character may be markup anywhere in a line, in Markdown or a dialect with tables and formulas.
fn is_markup(character: char) -> bool {
    matches!(
        character,
        '\\' | '`'
            | '*'
            | '_'
            | '['
            | ']'
            | '<'
            | '>'
            | '|'
            | '~'
            | '#'
            | '&'
            | '$'
            | '!'
            | '^'
            | '@'
    )
}

/// Prints lines as a block of code.
#[derive(Debug)]
pub(super) struct Block<'a>(pub(super) &'a [String]);

impl fmt::Display for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = || self.0.iter().map(|line| escape_line(line));
        let longest = lines().map(|line| longest_run(&line)).max().unwrap_or(0);
        // A block ends at a fence that is at least as long.
        let fence = "`".repeat(longest.max(2) + 1);
        writeln!(f, "{fence}text")?;
        for line in lines() {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "{fence}")
    }
}

/// Returns the length of the longest run of backticks.
fn longest_run(line: &str) -> usize {
    line.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::*;

    /// Returns the text of a document of headings, paragraphs, lists and blocks of code; an error if there is anything else.
    fn text_of(document: &str) -> Result<String, TestCaseError> {
        let mut text = String::new();
        // Curly quotes and long dashes are no markup.
        let dialect = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_GFM
            | Options::ENABLE_MATH
            | Options::ENABLE_SUPERSCRIPT
            | Options::ENABLE_SUBSCRIPT
            | Options::ENABLE_WIKILINKS;
        for event in Parser::new_ext(document, dialect) {
            if let Event::Text(part) = &event {
                text.push_str(part);
                continue;
            }
            let start = matches!(
                event,
                Event::Start(
                    Tag::Paragraph
                        | Tag::Heading { .. }
                        | Tag::List(None)
                        | Tag::Item
                        | Tag::CodeBlock(_)
                )
            );
            prop_assert!(start || matches!(event, Event::End(_)), "{:?} in {:?}", event, document);
        }
        Ok(text)
    }

    fn any_line() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-z ]{0,6}",
            any::<char>().prop_map(String::from),
            prop::sample::select(vec![
                "*",
                "_",
                "`",
                "```",
                "~~",
                "[x](y)",
                "![x](y)",
                "<b>",
                "<!--",
                "&amp;",
                "# ",
                "- ",
                "+ ",
                "1. ",
                "2) ",
                "> ",
                "---",
                "===",
                "|",
                "\\",
                "$x$",
                "https://example.org",
                "www.example.org",
                "[^1]",
                "[ ] ",
                "{x}",
                "a@b.example",
                ":::",
                "\n",
                "\t",
                "    ",
                "^",
                "\"",
                "'",
            ])
            .prop_map(String::from),
        ];
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_text_is_text(line in any_line()) {
            let shown = escape_line(&line);
            for (markup, before) in [("", "x "), ("# ", ""), ("- ", "")] {
                let read = text_of(&format!("{markup}{before}{}\n", Text(&line)))?;
                let expected = format!("{before}{}", shown.trim());
                prop_assert_eq!(read.trim(), expected.trim());
            }
        }

        #[test]
        fn any_lines_are_one_block(lines in prop::collection::vec(any_line(), 0..4)) {
            let text = text_of(&Block(&lines).to_string())?;
            let expected: String = lines.iter().map(|line| escape_line(line) + "\n").collect();
            prop_assert_eq!(text, expected);
        }
    }

    #[test]
    fn ordinary_text_is_hardly_changed() {
        let shown = |text: &str| Text(text).to_string();
        assert_eq!(
            shown("the output has shape [B, T], in f32"),
            r"the output has shape \[B, T\], in f32"
        );
        assert_eq!(shown("0.5 of 2.00 points (x - y)"), "0.5 of 2.00 points (x - y)");
        assert_eq!(shown("a | b"), r"a \| b");
    }
}
