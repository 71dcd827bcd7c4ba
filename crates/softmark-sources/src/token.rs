//! Tokens of a source file, with the end of each group.

use std::ops::Range;

use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, TokenKind, strip_shebang, tokenize};

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Identifier or keyword; the `r#` of a raw identifier is left out.
    Name,
    /// String, byte string or C string.
    Text,
    /// One character of punctuation, or a delimiter.
    Symbol,
    /// Any other literal, or a lifetime.
    Other,
}

/// Token that is neither blank nor comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// Index of the delimiter that closes the group which this token opens; `None` if it opens none.
    pub(crate) close: Option<usize>,
    /// True for punctuation that is followed by more without a space: `&&` is no `& &`.
    is_joint: bool,
}

impl Token {
    /// True if this is the symbol or keyword `text`.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Name | Kind::Symbol) && self.text == text
    }

    /// Returns the identifier or keyword that this is.
    pub(crate) fn name(&self) -> Option<&str> {
        (self.kind == Kind::Name).then_some(self.text.as_str())
    }

    /// Returns the value of a plain string literal; `None` if it has escapes, or a prefix.
    pub(crate) fn string(&self) -> Option<&str> {
        let text = self.text.strip_prefix('"')?.strip_suffix('"')?;
        (self.kind == Kind::Text && !text.contains('\\')).then_some(text)
    }
}

/// Characters of which operators with more than one character consist.
const OPERATORS: [char; 11] = ['&', '|', '<', '>', '=', '-', '+', '*', '!', '.', '?'];

/// Returns the tokens of a file; `None` if its delimiters are not balanced.
///
/// Comments are left out, documentation among them: it reaches no verdict.
pub(crate) fn tokens(text: &str) -> Option<Vec<Token>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text.get(strip_shebang(text).unwrap_or(0)..).unwrap_or_default();
    let mut tokens = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for token in tokenize(rest, FrontmatterAllowed::No) {
        let length = usize::try_from(token.len).ok()?;
        let (text, after) = rest.split_at_checked(length)?;
        rest = after;
        let is_comment =
            matches!(token.kind, TokenKind::LineComment { .. } | TokenKind::BlockComment { .. });
        if is_comment || token.kind == TokenKind::Whitespace {
            continue;
        }
        let kind = kind_of(token.kind, text);
        if kind == Kind::Symbol {
            match text {
                "(" | "[" | "{" => open.push(tokens.len()),
                ")" | "]" | "}" => {
                    let at = open.pop()?;
                    let close = tokens.len();
                    let opening: &mut Token = tokens.get_mut(at)?;
                    opening.close = Some(close);
                }
                _ => {}
            }
        }
        let text = text.strip_prefix("r#").filter(|_| kind == Kind::Name).unwrap_or(text);
        let is_joint = text.ends_with(OPERATORS) && rest.starts_with(OPERATORS);
        tokens.push(Token { kind, text: text.to_owned(), close: None, is_joint });
    }
    open.is_empty().then_some(tokens)
}

fn kind_of(kind: TokenKind, text: &str) -> Kind {
    let is_name = matches!(kind, TokenKind::Ident | TokenKind::RawIdent | TokenKind::InvalidIdent);
    let is_symbol = text.len() == 1 && text.bytes().all(|it| it.is_ascii_punctuation());
    if let TokenKind::Literal { kind, .. } = kind
        && is_text(kind)
    {
        Kind::Text
    } else if is_name {
        Kind::Name
    } else if is_symbol {
        Kind::Symbol
    } else {
        Kind::Other
    }
}

fn is_text(kind: LiteralKind) -> bool {
    match kind {
        LiteralKind::Str { .. }
        | LiteralKind::ByteStr { .. }
        | LiteralKind::CStr { .. }
        | LiteralKind::RawStr { .. }
        | LiteralKind::RawByteStr { .. }
        | LiteralKind::RawCStr { .. } => true,
        LiteralKind::Int { .. }
        | LiteralKind::Float { .. }
        | LiteralKind::Char { .. }
        | LiteralKind::Byte { .. } => false,
    }
}

/// Returns the index after the token at `at`, or after the group that it opens.
pub(crate) fn after(tokens: &[Token], at: usize) -> usize {
    tokens.get(at).and_then(|token| token.close).unwrap_or(at) + 1
}

/// Returns the text of some tokens, one way for each list of tokens.
pub(crate) fn written(tokens: &[Token], range: Range<usize>, holes: &[Range<usize>]) -> String {
    let mut text = String::new();
    for at in range {
        let is_left_out = holes.iter().any(|hole| hole.contains(&at));
        if let Some(token) = tokens.get(at).filter(|_| !is_left_out) {
            text.push_str(&token.text);
            if !token.is_joint {
                text.push(' ');
            }
        }
    }
    text.push('\n');
    text
}
