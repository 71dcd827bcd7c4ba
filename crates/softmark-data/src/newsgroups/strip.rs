//! Header, footer and quotes of a post, as defined by scikit-learn's documentation of
//! `sklearn.datasets.fetch_20newsgroups`.
//!
//! `tests/it/stripping.rs` compares digests of the results of scikit-learn's own functions for every file.

/// A line that contains one of these introduces a quote or belongs to one.
const WITHIN: [&str; 5] = ["writes in", "writes:", "wrote:", "says:", "said:"];
/// A line that starts with one of these introduces a quote or belongs to one.
const OPENING: [&str; 4] = ["In article", "Quoted from", "|", ">"];

/// Returns the text after the first empty line; an empty text if there is no empty line.
pub fn strip_header(text: &str) -> &str {
    text.split_once("\n\n").map_or("", |(_, after)| after)
}

/// Returns the text without lines that quote or usually introduce a quote.
pub fn strip_quoting(text: &str) -> String {
    let quotes = |line: &&str| {
        WITHIN.iter().any(|it| line.contains(it)) || OPENING.iter().any(|it| line.starts_with(it))
    };
    text.split('\n').filter(|line| !quotes(line)).collect::<Vec<_>>().join("\n")
}

/// Returns the text without its signature: everything after the last line that is blank or consists of
/// hyphens. Blanks around the whole text are removed as well; a text without such a line is returned unchanged.
pub fn strip_footer(text: &str) -> &str {
    let inner = text.trim_matches(is_space);
    let mut end = inner.len();
    // From the last line to the first; `end` is the end of the current line.
    while let Some(break_at) = inner.get(..end).and_then(|before| before.rfind('\n')) {
        let line = inner.get(break_at + 1..end).unwrap_or_default();
        if is_rule(line) {
            return inner.get(..break_at).unwrap_or_default();
        }
        end = break_at;
    }
    text
}

/// Returns true if a line consists of hyphens, after blanks at its ends are removed; `- -` does not.
fn is_rule(line: &str) -> bool {
    line.trim_matches(is_space).bytes().all(|byte| byte == b'-')
}

/// Returns true for the characters that Python's `str.strip` removes: Unicode white space and four ASCII
/// separators.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_ends_at_the_first_empty_line() {
        assert_eq!(strip_header("a: b\n\nc\n\nd"), "c\n\nd");
        assert_eq!(strip_header("a: b\n \nc"), "");
    }

    #[test]
    fn a_footer_begins_at_the_last_rule() {
        assert_eq!(strip_footer("\n a\n\nb\n---\nme\n"), "a\n\nb");
        assert_eq!(strip_footer("a\nb\n"), "a\nb\n");
        assert_eq!(strip_footer("--\nme"), "--\nme");
        assert_eq!(strip_footer("a\n- -\nme"), "a\n- -\nme");
        assert_eq!(strip_footer("a\n \u{1f}\t\nme"), "a");
        assert_eq!(strip_footer(""), "");
    }

    #[test]
    fn quoting_goes_by_lines() {
        assert_eq!(
            strip_quoting("a\n>b\n| c\nx wrote:\nIn article 3\n In article\nd"),
            "a\n In article\nd"
        );
    }
}
