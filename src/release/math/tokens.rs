//! Splits the text of a formula into tokens.

use super::error::FormulaError;

/// Token with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Position in the formula, in bytes.
    pub(super) at: usize,
    /// Kind of the token.
    pub(super) kind: TokenKind,
}

/// Kind of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `\name`, or a backslash and one other character.
    Command(String),
    /// Any other character.
    Char(char),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `_`
    Sub,
    /// `^`
    Sup,
    /// `&`
    NextCell,
    /// `\\`
    NextRow,
    /// White space, except after the name of a command.
    Space,
}

/// Characters that mean something else in LaTeX than themselves, and nothing here.
const REFUSED: [char; 4] = ['%', '#', '$', '`'];

/// Splits the text of a formula.
///
/// # Errors
///
/// Fails at a lone backslash and at characters that have no meaning in a formula.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, FormulaError> {
    let mut chars = text.char_indices().peekable();
    let mut tokens = Vec::new();
    while let Some((at, c)) = chars.next() {
        let kind = match c {
            '\\' => match chars.next() {
                Some((_, '\\')) => TokenKind::NextRow,
                Some((_, c)) if c.is_ascii_alphabetic() => {
                    let mut name = String::from(c);
                    while let Some((_, c)) = chars.next_if(|(_, c)| c.is_ascii_alphabetic()) {
                        name.push(c);
                    }
                    while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
                    TokenKind::Command(name)
                }
                Some((_, c)) if !c.is_whitespace() => TokenKind::Command(c.into()),
                Some(_) => TokenKind::Command(" ".to_owned()),
                None => return Err(FormulaError::new(at, "a backslash ends the formula")),
            },
            '{' => TokenKind::Open,
            '}' => TokenKind::Close,
            '_' => TokenKind::Sub,
            '^' => TokenKind::Sup,
            '&' => TokenKind::NextCell,
            '~' => TokenKind::Command(" ".to_owned()),
            c if c.is_whitespace() => {
                while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
                TokenKind::Space
            }
            c if REFUSED.contains(&c) || c.is_control() => {
                let reason = format!("`{}` has no meaning in a formula", c.escape_debug());
                return Err(FormulaError::new(at, reason));
            }
            c => TokenKind::Char(c),
        };
        tokens.push(Token { at, kind });
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_take_the_space_after_their_names() {
        let kinds: Vec<TokenKind> =
            tokens(r"\alpha  x\, y").unwrap().into_iter().map(|token| token.kind).collect();
        let command = |name: &str| TokenKind::Command(name.to_owned());
        let expected = [
            command("alpha"),
            TokenKind::Char('x'),
            command(","),
            TokenKind::Space,
            TokenKind::Char('y'),
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn errors_have_a_place() {
        assert_eq!(tokens("αx % y").unwrap_err().at, 4);
        assert_eq!(tokens("x\\").unwrap_err().at, 1);
    }
}
