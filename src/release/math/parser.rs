//! Reads formulas.

use super::error::FormulaError;
use super::node::{Formula, Kind, Layout, Node};
use super::symbols;
use super::tokens::{Token, TokenKind, tokens};

/// Most parts within one another.
const DEEPEST: usize = 40;

/// Reads a formula.
///
/// # Errors
///
/// Fails at a command that is not known, at braces and brackets without a partner, and at a table that has no room.
pub(in crate::release) fn parse(text: &str, layout: Layout) -> Result<Formula, FormulaError> {
    let tokens = tokens(text)?;
    let has_room = layout == Layout::Displayed;
    let mut parser =
        Parser { tokens: &tokens, next: 0, depth: 0, has_room, length: text.trim_end().len() };
    let row = parser.row()?;
    match parser.peek() {
        None if row.is_empty() => Err(FormulaError::new(0, "the formula is empty")),
        None => Ok(Formula { layout, row }),
        Some(TokenKind::Close) => Err(parser.error("`}` without `{`")),
        Some(TokenKind::NextCell | TokenKind::NextRow) => Err(parser
            .error("`&` and `\\\\` have a meaning in an environment alone, such as `aligned`")),
        Some(_) => Err(parser.error("`\\right` without `\\left`, or `\\end` without `\\begin`")),
    }
}

/// Reader of tokens.
pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    /// Place of the next token.
    pub(super) next: usize,
    /// Number of parts that the next one is in.
    depth: usize,
    /// True where a table may stand.
    pub(super) has_room: bool,
    /// Length of the formula, in bytes.
    length: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    pub(super) fn take(&mut self) -> Option<TokenKind> {
        let token = self.tokens.get(self.next)?;
        self.next += 1;
        Some(token.kind.clone())
    }

    pub(super) fn takes(&mut self, kind: &TokenKind) -> bool {
        let is_next = self.peek() == Some(kind);
        self.next += usize::from(is_next);
        is_next
    }

    /// Returns an error at the next token.
    pub(super) fn error(&self, reason: impl Into<String>) -> FormulaError {
        let at = self.tokens.get(self.next).map_or(self.length, |token| token.at);
        FormulaError::new(at, reason)
    }

    /// Returns an error at the token that was taken last.
    pub(super) fn error_before(&self, reason: impl Into<String>) -> FormulaError {
        let token = self.next.checked_sub(1).and_then(|at| self.tokens.get(at));
        FormulaError::new(token.map_or(0, |token| token.at), reason)
    }

    pub(super) fn skip_space(&mut self) {
        while self.takes(&TokenKind::Space) {}
    }

    /// Reads parts up to what ends a row, which is left.
    pub(super) fn row(&mut self) -> Result<Vec<Node>, FormulaError> {
        let mut nodes = Vec::new();
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Close | TokenKind::NextCell | TokenKind::NextRow => break,
                TokenKind::Command(name) if name == "right" || name == "end" => break,
                TokenKind::Space => {
                    self.skip_space();
                    nodes.push(Node::Gap);
                }
                TokenKind::Sub | TokenKind::Sup => {
                    return Err(self.error("a script with nothing before it; write `{}` there"));
                }
                TokenKind::Command(_) | TokenKind::Char(_) | TokenKind::Open => {
                    let node = self.part()?;
                    let node = self.scripts(node)?;
                    nodes.push(signed(node, &nodes));
                }
            }
        }
        let end = nodes.iter().rposition(|node| *node != Node::Gap).map_or(0, |at| at + 1);
        nodes.truncate(end);
        let start = nodes.iter().position(|node| *node != Node::Gap).unwrap_or(0);
        Ok(nodes.split_off(start))
    }

    /// Reads one part without its scripts.
    fn part(&mut self) -> Result<Node, FormulaError> {
        if self.depth == DEEPEST {
            return Err(self.error("too many parts within one another"));
        }
        self.depth += 1;
        let part = self.part_of_any_depth();
        self.depth -= 1;
        part
    }

    fn part_of_any_depth(&mut self) -> Result<Node, FormulaError> {
        match self.take() {
            Some(TokenKind::Open) => Ok(Node::Row(self.group()?)),
            Some(TokenKind::Char(c)) if c.is_ascii_digit() => Ok(self.number(c)),
            Some(TokenKind::Char(c)) if c.is_ascii_alphabetic() => {
                Ok(Node::Identifier { text: c.into(), is_upright: false })
            }
            Some(TokenKind::Char(c)) => symbols::character(c).ok_or_else(|| {
                self.error_before(format!("`{}` has no meaning in a formula", c.escape_debug()))
            }),
            Some(TokenKind::Command(name)) => self.command(&name),
            None => Err(self.error("something is missing at the end")),
            Some(_) => Err(self.error_before("something is missing before this")),
        }
    }

    /// Reads the rest of a group, up to its closing brace.
    fn group(&mut self) -> Result<Vec<Node>, FormulaError> {
        let nodes = self.row()?;
        if self.takes(&TokenKind::Close) {
            return Ok(nodes);
        }
        Err(self.error("a `}` is missing"))
    }

    /// Reads the digits after `first`, and a decimal point among them.
    fn number(&mut self, first: char) -> Node {
        let mut text = String::from(first);
        while let Some(TokenKind::Char(c)) = self.peek() {
            let after = self.tokens.get(self.next + 1).map(|token| &token.kind);
            let is_digit =
                |kind: &TokenKind| matches!(kind, TokenKind::Char(c) if c.is_ascii_digit());
            if !c.is_ascii_digit() && (*c != '.' || !after.is_some_and(is_digit)) {
                break;
            }
            text.push(*c);
            self.next += 1;
        }
        Node::Number(text)
    }

    /// Reads the argument of a command: a group, a digit, or one part without scripts. No table has room in it.
    pub(super) fn argument(&mut self) -> Result<Node, FormulaError> {
        self.skip_space();
        if let Some(TokenKind::Char(c)) = self.peek()
            && c.is_ascii_digit()
        {
            let text = String::from(*c);
            self.next += 1;
            return Ok(Node::Number(text));
        }
        let had_room = std::mem::replace(&mut self.has_room, false);
        let part = self.part();
        self.has_room = had_room;
        part
    }

    /// Reads an argument in braces as text.
    pub(super) fn words(&mut self) -> Result<String, FormulaError> {
        self.skip_space();
        if !self.takes(&TokenKind::Open) {
            return Err(self.error("a `{` is missing"));
        }
        let mut text = String::new();
        loop {
            match self.take() {
                Some(TokenKind::Close) => return Ok(text),
                Some(TokenKind::Char(c)) => text.push(c),
                Some(TokenKind::Space) => text.push(' '),
                Some(TokenKind::Command(name)) if [",", " ", ";"].contains(&name.as_str()) => {
                    text.push(' ');
                }
                Some(TokenKind::Command(name)) if ["_", "&", "%", "#"].contains(&name.as_str()) => {
                    text.push_str(&name);
                }
                Some(_) => return Err(self.error_before("this has no meaning in text")),
                None => return Err(self.error("a `}` is missing")),
            }
        }
    }

    /// Reads the scripts of a part.
    fn scripts(&mut self, base: Node) -> Result<Node, FormulaError> {
        let (mut sub, mut sup, mut primes) = (None, None, Vec::new());
        loop {
            let start = self.next;
            self.skip_space();
            match self.peek() {
                Some(TokenKind::Sub) if sub.is_none() => {
                    self.next += 1;
                    sub = Some(Box::new(self.argument()?));
                }
                Some(TokenKind::Sup) if sup.is_none() => {
                    self.next += 1;
                    sup = Some(self.argument()?);
                }
                Some(TokenKind::Sub | TokenKind::Sup) => {
                    return Err(self.error("a second script of the same kind; use braces"));
                }
                Some(TokenKind::Char('\'')) => {
                    self.next += 1;
                    primes.push(Node::ordinary('′'));
                }
                _ => {
                    self.next = start;
                    break;
                }
            }
        }
        if !primes.is_empty() {
            primes.extend(sup);
            sup = Some(Node::Row(primes));
        }
        if sub.is_none() && sup.is_none() {
            return Ok(base);
        }
        Ok(Node::Scripts { base: Box::new(base), sub, sup: sup.map(Box::new) })
    }
}

/// Makes an operator without a left operand a sign, or a symbol that stands for itself, as in `f(·)`.
fn signed(node: Node, before: &[Node]) -> Node {
    let Node::Symbol { symbol, kind: Kind::Binary } = node else { return node };
    let before = before.iter().rev().find(|node| **node != Node::Gap);
    let is_sign = ['+', '−', '±', '∓'].contains(&symbol);
    let has_operand = match before {
        None => false,
        Some(Node::Function { .. }) => !is_sign,
        Some(Node::Symbol { kind, .. }) => {
            matches!(kind, Kind::Ordinary | Kind::Close | Kind::Tight)
        }
        Some(_) => true,
    };
    let kind = match (has_operand, is_sign) {
        (true, _) => Kind::Binary,
        (false, true) => Kind::Prefix,
        (false, false) => Kind::Ordinary,
    };
    Node::Symbol { symbol, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn error(text: &str) -> (usize, String) {
        let error = parse(text, Layout::Displayed).unwrap_err();
        (error.at, error.reason)
    }

    #[test]
    fn what_is_not_known_is_an_error_with_its_place() {
        assert_eq!(error(r"x + \foo{y}"), (4, "unknown command `\\foo`".to_owned()));
        assert_eq!(error(r"x + \mathbf{\alpha}").0, 12);
        assert_eq!(error(r"\mathcal{a}").0, 8);
        assert_eq!(error(r"\begin{array} x \end{array}").1, "unknown environment `array`");
        assert_eq!(error("x № y").0, 2);
        assert!(error(r"\displaystyle x").1.contains("displaystyle"));
    }

    #[test]
    fn what_has_no_partner_is_an_error() {
        for text in [
            "",
            " ",
            "{x",
            "x}",
            "x_",
            "^2",
            "x^2^3",
            "x_1_2",
            r"\frac{a}",
            r"\left( x",
            r"x \right)",
            r"\left x",
            r"\begin{pmatrix} x",
            r"\begin{pmatrix} x \end{bmatrix}",
            r"x \end{pmatrix}",
            "a & b",
            r"a \\ b",
            r"\text{a_b}",
            r"\text x",
            r"\sqrt[3{x}",
            r"\",
        ] {
            assert!(parse(text, Layout::Displayed).is_err(), "{text}");
        }
    }

    #[test]
    fn tables_need_room() {
        let table = r"\begin{pmatrix} x \end{pmatrix}";
        assert!(parse(table, Layout::Displayed).is_ok());
        assert!(parse(table, Layout::Inline).is_err());
        assert!(parse(&format!("x^{{{table}}}"), Layout::Displayed).is_err());
        assert!(parse(&format!(r"\frac{{{table}}}{{2}}"), Layout::Displayed).is_err());
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| format!("{}x{}", "{".repeat(depth), "}".repeat(depth));
        assert!(parse(&nested(30), Layout::Inline).is_ok());
        assert!(parse(&nested(100_000), Layout::Inline).is_err());
        assert!(parse(&r"\hat".repeat(100_000), Layout::Inline).is_err());
    }
}
