//! Tokens of a Rust file, without what a copy can change for nothing.

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, strip_shebang, tokenize};

/// Token as it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Hash of the normalised text.
    pub(super) symbol: u32,
    /// Line, counted from 1.
    pub(super) line: u32,
}

/// Words that are compared as they are: the keywords of Rust, without `true`, `false` and `Self`.
pub(crate) const KEYWORDS: [&str; 35] = [
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "type", "unsafe", "use", "where",
    "while",
];

/// Text in place of every name. `Self` is one, because the name of the type may stand there instead.
const NAME: &str = "name";

/// Text in place of every literal, `true` and `false` included.
const LITERAL: &str = "0";

/// Text in place of every lifetime and label.
const LIFETIME: &str = "'a";

/// Returns the tokens of a file that are compared; any text has some.
///
/// These are left out or replaced, because a copy can change them without any change of the program:
///
/// | text | what becomes of it |
/// |---|---|
/// | blanks, comments, documentation, attributes | left out |
/// | `use` items, and the path before the last name of a path | left out: `candle_nn::ops::softmax` is what `softmax` is after a `use` |
/// | `pub`, `pub(…)` | left out |
/// | a comma before a closing bracket | left out, because rustfmt adds it where it breaks a line |
/// | names | one name for all |
/// | literals, lifetimes | one literal, one lifetime for all |
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match left_out(&words, at) {
            0 => {
                found.push(Token { symbol: hash(word.text), line: word.line });
                at += 1;
            }
            length => at += length,
        }
    }
    found
}

/// Token with its normalised text.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    line: u32,
}

/// Returns the tokens of a file that are neither blank nor comment, as rustc reads them.
fn words(text: &str) -> Vec<Word<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text.get(strip_shebang(text).unwrap_or(0)..).unwrap_or_default();
    let mut line = 1;
    let mut words = Vec::new();
    for token in tokenize(rest, FrontmatterAllowed::Yes) {
        let length = usize::try_from(token.len).unwrap_or(usize::MAX);
        let Some((text, after)) = rest.split_at_checked(length) else { break };
        if let Some(text) = normalised(token.kind, text) {
            words.push(Word { text, line });
        }
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        line += u32::try_from(lines).unwrap_or(0);
        rest = after;
    }
    words
}

/// Returns the text by which a token is compared; `None` for blanks and comments.
fn normalised(kind: TokenKind, text: &str) -> Option<&str> {
    let is_blank = matches!(
        kind,
        TokenKind::Whitespace
            | TokenKind::LineComment { .. }
            | TokenKind::BlockComment { .. }
            | TokenKind::Frontmatter { .. }
    );
    let is_word = kind == TokenKind::Ident;
    let is_name = matches!(kind, TokenKind::Ident | TokenKind::InvalidIdent | TokenKind::RawIdent);
    if is_blank {
        None
    } else if is_word && KEYWORDS.contains(&text) {
        Some(text)
    } else if matches!(kind, TokenKind::Literal { .. })
        || is_word && matches!(text, "true" | "false")
    {
        Some(LITERAL)
    } else if is_name {
        Some(NAME)
    } else if matches!(kind, TokenKind::Lifetime { .. } | TokenKind::RawLifetime) {
        Some(LIFETIME)
    } else {
        Some(text)
    }
}

/// Returns the number of tokens from `at` on that are left out; 0 if this one is compared.
fn left_out(words: &[Word<'_>], at: usize) -> usize {
    let is = |offset: usize, text: &str| words.get(at + offset).is_some_and(|it| it.text == text);
    let closes = |offset: usize| [")", "]", "}"].iter().any(|close| is(offset, close));
    let group = |open: usize| match group_length(words, at + open) {
        0 => 0,
        length => open + length,
    };
    if is(0, "#") && is(1, "[") {
        group(1)
    } else if is(0, "#") && is(1, "!") && is(2, "[") {
        group(2)
    } else if is(0, "pub") {
        if is(1, "(") { group(1).max(1) } else { 1 }
    } else if is(0, "use") && !is(1, "<") {
        use_length(words, at)
    } else if is(0, NAME) && is(1, ":") && is(2, ":") && is(3, NAME) {
        3
    } else {
        usize::from(is(0, ",") && closes(1))
    }
}

/// Returns the number of tokens from the bracket at `open` to the one that closes it, or to the end; 0 if there is something in
/// between that no attribute and no visibility has: a macro may make a program of it.
fn group_length(words: &[Word<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    let rest = words.get(open..).unwrap_or_default();
    for (length, word) in (1..).zip(rest) {
        match word.text {
            "{" | "}" | ";" | "#" | "pub" => return 0,
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return length;
        }
    }
    rest.len()
}

/// Returns the number of tokens of the `use` item at `at`, up to its semicolon; a macro may hold one without, which
/// ends with the group around it. 0 if there is something in it that no import has: a macro may make a program of it.
fn use_length(words: &[Word<'_>], at: usize) -> usize {
    let mut depth = 0_usize;
    let rest = words.get(at + 1..).unwrap_or_default();
    for (length, word) in (1..).zip(rest) {
        match word.text {
            "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return length,
            "}" => depth -= 1,
            ";" if depth == 0 => return length + 1,
            NAME | ":" | "," | "*" | "$" | "as" | "self" | "super" | "crate" => {}
            _ => return 0,
        }
    }
    rest.len() + 1
}

/// Returns the 32-bit FNV-1a hash of a text: the same on every machine and in every version, because which fingerprints
/// are kept depends on it.
fn hash(text: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, step)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn symbols(text: &str) -> Vec<u32> {
        tokens(text).into_iter().map(|token| token.symbol).collect()
    }

    fn same(one: &str, other: &str) {
        assert_eq!(symbols(one), symbols(other), "{one}\n{other}");
        assert!(!symbols(one).is_empty(), "{one}");
    }

    fn differ(one: &str, other: &str) {
        assert_ne!(symbols(one), symbols(other), "{one}\n{other}");
    }

    /// A macro of one line gives such a group its meaning back.
    #[test]
    fn code_in_the_place_of_an_attribute_a_visibility_or_an_import_is_compared() {
        let code = "fn f(x: &Tensor) -> Tensor { let y = x + 1; y.sqr() }";
        let all = symbols(code).len();
        for hidden in [format!("#[{code}]"), format!("pub({code})"), format!("use {code};")] {
            assert!(symbols(&hidden).len() >= all, "{hidden}");
        }
        let attribute = "#[cfg(all(unix, feature = \"x\"))] #[doc = \"d\"] pub(in crate::a) ";
        let import = "use crate::{a::*, b as c, self}; ";
        assert_eq!(symbols(&format!("{attribute}{code}")), symbols(code));
        assert_eq!(symbols(&format!("{import}{code}")), symbols(code));
    }

    #[test]
    fn names_and_literals_are_all_the_same() {
        same("let x = y.matmul(&z)?;", "let r#in = Tensor.t(&long_name)?;");
        same("f(1.0, \"a\", 'b', true)", "g(0x2f_u8, r#\"b\"#, b'c', false)");
        same("impl T { fn f() -> Self { Self } }", "impl U { fn g() -> U { U } }");
        same("fn f<'a>(x: &'a str) {}", "fn f<'b>(x: &'b str) {}");
    }

    #[test]
    fn keywords_and_symbols_are_compared() {
        differ("if x { y }", "while x { y }");
        differ("a + b", "a - b");
        differ("self.x", "that.x");
        differ("let x = 1;", "let mut x = 1;");
        differ("x == y", "x = y");
        differ("x?", "x");
    }

    #[test]
    fn layout_comments_and_attributes_are_left_out() {
        same(
            "fn f(a: u8) { g(a) }",
            "/// Doc.\nfn f(\n    a: u8, // why\n) {\n    g(a)\n}\n/* end */",
        );
        same(
            "struct S { a: u8 }",
            "#![allow(x)]\n#[derive(Debug, Clone)]\npub struct S { pub(crate) a: u8, }",
        );
        same("f([1, 2], (3, 4))", "f([1, 2,], (3, 4,),)");
    }

    #[test]
    fn paths_and_their_imports_are_left_out() {
        same("use a::{b, c}; fn f() { softmax(x) }", "fn f() { candle_nn::ops::softmax(x) }");
        same("fn f() { ops::softmax(x) }", "use a::b as c;\nfn f() { softmax(x) }");
        // This is no item.
        differ("fn f() -> impl A + use<'a> { x }", "fn f() -> impl A { x }");
        // Nor does one without a semicolon take along what is behind its group.
        same("macro_rules! m { (use a) => { b }; }", "macro_rules! m { () => { b }; }");
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let lines = |text| tokens(text).into_iter().map(|token| token.line).collect::<Vec<_>>();
        assert_eq!(lines("a\n/*\n\n*/ b \"x\ny\" c\r\nd"), [1, 4, 4, 5, 6]);
        assert_eq!(lines("#!/bin/sh\nmod a;"), [2, 2, 2]);
        assert_eq!(lines("\u{feff}// x\n#[a]\n(b)"), [3, 3, 3]);
    }

    #[test]
    fn different_words_have_different_symbols() {
        let others = [NAME, LITERAL, LIFETIME].into_iter();
        let symbols = "!#$%&()*+,-./:;<=>?@[]^{|}~".split("").filter(|it| !it.is_empty());
        let all: Vec<&str> = KEYWORDS.into_iter().chain(others).chain(symbols).collect();
        let hashes: BTreeSet<u32> = all.iter().map(|word| hash(word)).collect();
        assert_eq!(hashes.len(), all.len());
    }

    #[test]
    fn any_text_has_tokens() {
        let deep = "(".repeat(100_000);
        assert_eq!(tokens(&deep).len(), 100_000);
        for text in
            ["#[", "use a::{", "pub(", "\"", "/*", "r#\"", "'", "a::", "b'", "\u{0}\u{202e}"]
        {
            let before = tokens("fn f() {}").len();
            assert!(tokens(&format!("fn f() {{}} {text}")).len() >= before, "{text}");
        }
    }
}
