//! What of a post is header, footer and quote, as scikit-learn's documentation of
//! `sklearn.datasets.fetch_20newsgroups` has it.
//!
//! `tests/it/newsgroups.rs` holds digests of what scikit-learn's own functions make of every file.

/// A line that has one of these anywhere introduces or belongs to a quote …
const WITHIN: [&str; 5] = ["writes in", "writes:", "wrote:", "says:", "said:"];
/// … and so does one that opens with one of these.
const OPENING: [&str; 4] = ["In article", "Quoted from", "|", ">"];

/// What follows the first empty line; nothing where there is none.
pub fn strip_header(text: &str) -> &str {
    text.split_once("\n\n").map_or("", |(_, after)| after)
}

/// The text without lines that quote, or that usually introduce a quote.
pub fn strip_quoting(text: &str) -> String {
    let quotes = |line: &&str| {
        WITHIN.iter().any(|it| line.contains(it)) || OPENING.iter().any(|it| line.starts_with(it))
    };
    text.split('\n').filter(|line| !quotes(line)).collect::<Vec<_>>().join("\n")
}

/// The text without its signature: what stands after the last line that is blank or of hyphens alone.
/// Blanks around the whole are dropped with it; a text without such a line stays as it is.
pub fn strip_footer(text: &str) -> &str {
    let inner = text.trim_matches(is_space);
    let mut end = inner.len();
    // From the last line to the first; `end` is where the line under consideration ends.
    while let Some(break_at) = inner.get(..end).and_then(|before| before.rfind('\n')) {
        let line = inner.get(break_at + 1..end).unwrap_or_default();
        if is_rule(line) {
            return inner.get(..break_at).unwrap_or_default();
        }
        end = break_at;
    }
    text
}

/// Whether a line is blank but for hyphens. Blanks are taken off first, so that `- -` is none.
fn is_rule(line: &str) -> bool {
    line.trim_matches(is_space).bytes().all(|byte| byte == b'-')
}

/// What Python's `str.strip` takes off: Unicode's white space, and four separators from ASCII.
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
