//! Tokens of a source file, as rustc reads them.

use std::borrow::Cow;
use std::ops::Range;

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, strip_shebang, tokenize};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or a keyword.
    Name,
    /// An identifier written `r#name`; never a keyword.
    RawName,
    /// A literal, a lifetime, or anything else that is no part of a path.
    Other,
    /// One character of punctuation, or a delimiter.
    Symbol,
}

/// A token that is neither blank nor comment.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// Its text; a raw identifier's without `r#`.
    pub(super) text: Cow<'a, str>,
    /// Line, counted from 1.
    pub(super) line: usize,
}

impl Token<'_> {
    /// True if this is the symbol or keyword `text`.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Name | Kind::Symbol) && self.text == text
    }

    /// The identifier or keyword that this is.
    pub(super) fn name(&self) -> Option<&str> {
        matches!(self.kind, Kind::Name | Kind::RawName).then_some(&*self.text)
    }
}

/// The one character that NFC, by which rustc compares identifiers, turns into an ASCII letter: the
/// kelvin sign. All names that are looked for are ASCII, so no other part of NFC matters here.
const KELVIN: char = '\u{212a}';

/// The tokens of a file. As rustc does, leaves out a byte order mark, then a first line that is a
/// shebang, then a frontmatter (which rustc itself refuses).
///
/// rustc turns `\r\n` into `\n` first; that changes no token outside of literals and comments.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shebang = strip_shebang(text).unwrap_or(0);
    let mut rest = text.get(shebang..).unwrap_or_default();
    // The line feed that ends a shebang is not part of it.
    let mut line = 1;
    let mut tokens = Vec::new();
    for token in tokenize(rest, FrontmatterAllowed::Yes) {
        let length = usize::try_from(token.len).unwrap_or(usize::MAX);
        let Some((text, after)) = rest.split_at_checked(length) else {
            break;
        };
        let (kind, at) = (token.kind, line);
        line += text.matches('\n').count();
        rest = after;
        if matches!(
            kind,
            TokenKind::Whitespace
                | TokenKind::LineComment { .. }
                | TokenKind::BlockComment { .. }
                | TokenKind::Frontmatter { .. }
        ) {
            continue;
        }
        let is_symbol = text.len() == 1 && text.as_bytes().iter().all(u8::is_ascii_punctuation);
        let (kind, text) = if matches!(kind, TokenKind::Ident | TokenKind::InvalidIdent) {
            (Kind::Name, text)
        } else if kind == TokenKind::RawIdent {
            (Kind::RawName, text.strip_prefix("r#").unwrap_or(text))
        } else if is_symbol {
            (Kind::Symbol, text)
        } else {
            (Kind::Other, text)
        };
        let is_name = matches!(kind, Kind::Name | Kind::RawName);
        let text = if is_name && text.contains(KELVIN) {
            Cow::Owned(text.replace(KELVIN, "K"))
        } else {
            Cow::Borrowed(text)
        };
        tokens.push(Token { kind, text, line: at });
    }
    tokens
}

/// The index after the delimiter that closes the one at `open`; the end where nothing closes it.
pub(super) fn end_of_group(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Symbol {
            continue;
        }
        match &*token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// A macro definition or a macro call.
#[derive(Debug, Clone)]
pub(super) struct MacroUse {
    /// The macro's name; `macro_rules` for a definition.
    pub(super) name: String,
    /// The tokens from its opening delimiter to its closing one.
    pub(super) body: Range<usize>,
}

/// The range of `ranges`, which are in order and apart from one another, that holds `at`.
pub(super) fn around<T>(
    ranges: &[T],
    at: usize,
    range: impl Fn(&T) -> &Range<usize>,
) -> Option<&T> {
    let after = ranges.partition_point(|it| range(it).start <= at);
    let last = ranges.get(after.checked_sub(1)?)?;
    range(last).contains(&at).then_some(last)
}

/// Words before a `!` that is an operator.
const OPERATOR_AFTER: [&str; 16] = [
    "as", "break", "const", "else", "if", "in", "let", "loop", "match", "move", "mut", "ref",
    "return", "static", "while", "yield",
];

/// The outermost macro definitions and calls of a file, in their order.
pub(super) fn macro_uses(tokens: &[Token<'_>]) -> Vec<MacroUse> {
    let mut found: Vec<MacroUse> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is = |offset: usize, text: &str| tokens.get(at + offset).is_some_and(|it| it.is(text));
        let opens = |offset: usize| ["(", "[", "{"].iter().any(|open| is(offset, open));
        let operator = token.kind == Kind::Name && OPERATOR_AFTER.contains(&&*token.text);
        let named = tokens.get(at + 2).is_some_and(|it| it.name().is_some());
        let open = match token.name() {
            Some(_) if operator || !is(1, "!") => None,
            Some(_) if opens(2) => Some(at + 2),
            Some(_) if named && opens(3) => Some(at + 3),
            Some(_) | None => None,
        };
        match open {
            Some(open) => {
                let end = end_of_group(tokens, open);
                found.push(MacroUse { name: token.text.clone().into_owned(), body: open..end });
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, usize)> {
        let tokens = tokens(text);
        let names = tokens.iter().filter(|it| it.name().is_some());
        names.map(|it| (it.text.clone().into_owned(), it.line)).collect()
    }

    fn named(text: &str) -> Vec<String> {
        names(text).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn skips_a_shebang_as_rustc_does() {
        for start in ["#!/usr/bin/env x /*", "#!x \"", "#! r#\"", "#!/*\u{e9}", "#!//", "#!x\r"] {
            assert_eq!(names(&format!("{start}\nmod x;")), [("mod".into(), 2), ("x".into(), 2)]);
            assert_eq!(named(&format!("\u{feff}{start}\nmod x;")), ["mod", "x"], "{start}");
        }
        // The shebang ends at the line feed, not at a carriage return.
        assert_eq!(named("#!x\rmod a;\nmod x;"), ["mod", "x"]);
        // Followed by `[`, it is an attribute, wherever the bracket stands.
        assert_eq!(named("#![allow(x)] mod y;"), ["allow", "x", "mod", "y"]);
        assert_eq!(named("#! /* a */ // b\n [allow(x)] mod y;"), ["allow", "x", "mod", "y"]);
        // A doc comment is a token, so this is a shebang.
        assert_eq!(named("#!/** a */[allow(x)]\nmod y;"), ["mod", "y"]);
        // Only at the beginning, and after one byte order mark only.
        assert_eq!(named(" #!x /*\n mod y;"), ["x"]);
        assert_eq!(named("\u{feff}\u{feff}#!x\nmod y;").first().map(String::as_str), Some("x"));
    }

    #[test]
    fn reads_names_as_rustc_does() {
        assert_eq!(
            named("r#mod mas\u{212a}ed r\"mod\" br#\"mod\"# c\"mod\" 'mod"),
            ["mod", "masKed"]
        );
        assert_eq!(
            named("/* /* mod */ mod */ a // mod\n/// mod\nb //! mod \r\n c"),
            ["a", "b", "c"]
        );
        assert_eq!(named("---\nmod x;\n---\nmod y;"), ["mod", "y"]);
        assert!(tokens("r#mod").iter().all(|it| !it.is("mod")));
    }

    #[test]
    fn finds_macros_and_not_negations() {
        let uses = |text: &str| -> Vec<String> {
            macro_uses(&tokens(text)).into_iter().map(|it| it.name).collect()
        };
        assert_eq!(
            uses("vec![1]; a::b! { c!() } macro_rules! m { () => {} }"),
            ["vec", "b", "macro_rules"]
        );
        assert_eq!(uses("if !(a) { return !(b) } x != (c); #![allow(x)] !{ a }"), [""; 0]);
        assert_eq!(uses("$m!(x) f!(unclosed"), ["m", "f"]);
    }
}
