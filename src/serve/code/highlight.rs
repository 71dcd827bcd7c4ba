//! Highlighting of Rust, by the lexer of rustc. Any text can be shown.

use maud::{Markup, html};
use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, TokenKind, tokenize};
use softmark_untrusted::Untrusted;

use crate::similar::KEYWORDS;

/// Words that are shown as keywords, beside those that comparisons of submissions know.
const OTHER_KEYWORDS: [&str; 3] = ["Self", "false", "true"];

/// Kind of a piece of code, as the style sheet names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Keyword,
    Text,
    Number,
    Comment,
    Lifetime,
}

impl Kind {
    fn of(token: TokenKind, text: &str) -> Self {
        if matches!(token, TokenKind::LineComment { .. } | TokenKind::BlockComment { .. }) {
            return Self::Comment;
        }
        if let TokenKind::Literal { kind, .. } = token {
            let is_number = matches!(kind, LiteralKind::Int { .. } | LiteralKind::Float { .. });
            return if is_number { Self::Number } else { Self::Text };
        }
        if matches!(token, TokenKind::Lifetime { .. } | TokenKind::RawLifetime) {
            return Self::Lifetime;
        }
        if token == TokenKind::Ident && is_keyword(text) { Self::Keyword } else { Self::Plain }
    }

    fn class(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Keyword => Some("k"),
            Self::Text => Some("s"),
            Self::Number => Some("n"),
            Self::Comment => Some("c"),
            Self::Lifetime => Some("l"),
        }
    }
}

fn is_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text) || OTHER_KEYWORDS.contains(&text)
}

/// Piece of a line.
struct Piece {
    kind: Kind,
    text: Untrusted,
}

/// Returns the text with a number before each line, to which `#PREFIX-NUMBER` leads.
pub(in crate::serve) fn highlight(text: &str, prefix: &str) -> Markup {
    let lines = lines(text);
    html! {
        pre.code tabindex="0" {
            @for (number, line) in (1..).zip(&lines) {
                span.line id={ (prefix) "-" (number) } {
                    @for piece in line {
                        @match piece.kind.class() {
                            None => (piece.text),
                            Some(class) => { span class=(class) { (piece.text) } },
                        }
                    }
                    "\n"
                }
            }
        }
    }
}

/// Returns the lines of a text in pieces.
fn lines(text: &str) -> Vec<Vec<Piece>> {
    let mut lines = vec![Vec::new()];
    let mut rest = text;
    for token in tokenize(text, FrontmatterAllowed::No) {
        let length = usize::try_from(token.len).unwrap_or(usize::MAX);
        let Some((piece, after)) = rest.split_at_checked(length) else { break };
        add(&mut lines, Kind::of(token.kind, piece), piece);
        rest = after;
    }
    add(&mut lines, Kind::Plain, rest);
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

/// Adds a piece, which may have several lines.
fn add(lines: &mut Vec<Vec<Piece>>, kind: Kind, text: &str) {
    for (place, part) in text.split('\n').enumerate() {
        if place > 0 {
            lines.push(Vec::new());
        }
        let part = part.strip_suffix('\r').unwrap_or(part);
        if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
            line.push(Piece { kind, text: part.into() });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the text of a page without its tags.
    fn text_of(html: &str) -> String {
        let mut text = String::new();
        for part in html.split('<') {
            text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        }
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
    }

    #[test]
    fn tokens_have_classes_and_lines_have_numbers() {
        let shown = highlight("fn f<'a>() { // <b>\n    \"x\ny\" 1.5\n}\n", "f0").into_string();
        for expected in [
            "<span class=\"line\" id=\"f0-1\"><span class=\"k\">fn</span> f&lt;<span class=\"l\">'a</span>&gt;",
            "<span class=\"c\">// &lt;b&gt;</span>\n</span>",
            "<span class=\"s\">&quot;x</span>\n</span><span class=\"line\" id=\"f0-3\"><span class=\"s\">y&quot;</span>",
            "<span class=\"n\">1.5</span>",
        ] {
            assert!(shown.contains(expected), "{shown}");
        }
        assert_eq!(shown.matches("class=\"line\"").count(), 4);
    }

    proptest! {
        #[test]
        fn any_text_is_shown_whole_with_what_is_hidden_made_visible(text in "[\\PC\\n\u{1b}\u{202e}<&\"'/*]{0,60}") {
            let shown = text_of(&highlight(&text, "x").into_string());
            let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
            let expected: Vec<String> = lines.map(|line| Untrusted::from(line).to_string()).collect();
            // Pieces are escaped one by one, which may keep a mark that a whole line would not.
            if expected.iter().all(|line| !line.contains("\\u{")) {
                let expected = expected.join("\n");
                prop_assert_eq!(shown.trim_end_matches('\n'), expected.trim_end_matches('\n'));
            }
            prop_assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{}", shown);
        }
    }
}
