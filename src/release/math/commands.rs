//! Reads what follows the name of a command.

use super::alphabets::Alphabet;
use super::error::FormulaError;
use super::node::{Alignment, Fence, Node};
use super::parser::Parser;
use super::symbols;
use super::tokens::TokenKind;

/// Commands of brackets that grow, beside the characters themselves.
const FENCES: [&str; 14] = [
    "{", "}", "|", "vert", "lvert", "rvert", "lVert", "rVert", "langle", "rangle", "lfloor",
    "rfloor", "lceil", "rceil",
];

impl Parser<'_> {
    /// Reads what belongs to a command, whose name has been taken.
    pub(super) fn command(&mut self, name: &str) -> Result<Node, FormulaError> {
        if let Some(node) = symbols::command(name) {
            return Ok(node);
        }
        if let Some(accent) = symbols::accent(name) {
            return Ok(Node::Accented { accent, content: Box::new(self.argument()?) });
        }
        if let Some(alphabet) = Alphabet::of(name) {
            let place = self.next;
            let text: Option<String> = self.words()?.chars().map(|c| alphabet.letter(c)).collect();
            let Some(text) = text.filter(|text| !text.is_empty()) else {
                self.next = place;
                return Err(self.error(format!("`\\{name}` does not have all of these characters")));
            };
            return Ok(Node::Identifier { text, is_upright: true });
        }
        match name {
            "frac" | "tfrac" | "dfrac" => {
                let (numerator, denominator) = (self.argument()?, self.argument()?);
                Ok(Node::Fraction {
                    numerator: Box::new(numerator),
                    denominator: Box::new(denominator),
                })
            }
            "sqrt" => self.root(),
            "text" => Ok(Node::Text(self.words()?)),
            "operatorname" => {
                let has_limits = self.takes(&TokenKind::Char('*'));
                Ok(Node::Function { name: self.words()?, has_limits })
            }
            "left" => self.fenced(),
            "begin" => self.table(),
            _ => Err(self.error_before(format!("unknown command `\\{name}`"))),
        }
    }

    /// Reads what is below a root, and its degree in brackets.
    fn root(&mut self) -> Result<Node, FormulaError> {
        let mut degree = None;
        if self.takes(&TokenKind::Char('[')) {
            degree = Some(Box::new(self.argument()?));
            if !self.takes(&TokenKind::Char(']')) {
                return Err(self
                    .error("a `]` is missing; use braces around a degree of several characters"));
            }
        }
        Ok(Node::Root { degree, content: Box::new(self.argument()?) })
    }

    /// Reads a bracket after `\left` or `\right`; a point stands for none.
    fn bracket(&mut self) -> Result<Option<char>, FormulaError> {
        self.skip_space();
        let node = match self.take() {
            Some(TokenKind::Char('.')) => return Ok(None),
            Some(TokenKind::Char(c)) if "()[]|".contains(c) => symbols::character(c),
            Some(TokenKind::Command(name)) if FENCES.contains(&name.as_str()) => {
                symbols::command(&name)
            }
            _ => None,
        };
        let Some(Node::Symbol { symbol, .. }) = node else {
            return Err(
                self.error_before("a bracket or a point belongs after `\\left` and `\\right`")
            );
        };
        Ok(Some(symbol))
    }

    /// Reads the rest of a part between `\left` and `\right`.
    fn fenced(&mut self) -> Result<Node, FormulaError> {
        let open = self.bracket()?;
        let content = self.row()?;
        if !self.takes(&TokenKind::Command("right".to_owned())) {
            return Err(self.error("a `\\right` is missing"));
        }
        Ok(Node::Fenced { fence: Fence { open, close: self.bracket()? }, content })
    }

    /// Reads the rest of an environment, whose `\begin` has been taken.
    fn table(&mut self) -> Result<Node, FormulaError> {
        if !self.has_room {
            let reason = "a table has room in a displayed formula alone, and not in fractions, roots and scripts";
            return Err(self.error_before(reason));
        }
        let name = self.words()?;
        let (alignment, fence) = match name.as_str() {
            "matrix" => (Alignment::Centered, Fence::default()),
            "pmatrix" => (Alignment::Centered, Fence::new('(', ')')),
            "bmatrix" => (Alignment::Centered, Fence::new('[', ']')),
            "vmatrix" => (Alignment::Centered, Fence::new('|', '|')),
            "cases" => (Alignment::Left, Fence { open: Some('{'), close: None }),
            "aligned" => (Alignment::Pairs, Fence::default()),
            _ => return Err(self.error_before(format!("unknown environment `{name}`"))),
        };
        let mut rows = Vec::new();
        let mut cells = Vec::new();
        loop {
            cells.push(Node::Row(self.row()?));
            match self.take() {
                Some(TokenKind::NextCell) => {}
                Some(TokenKind::NextRow) => rows.push(std::mem::take(&mut cells)),
                Some(TokenKind::Command(end)) if end == "end" => break,
                Some(_) => return Err(self.error_before(format!("this does not end `{name}`"))),
                None => return Err(self.error(format!("`\\end{{{name}}}` is missing"))),
            }
        }
        if self.words()? != name {
            return Err(self.error_before(format!("`\\end{{{name}}}` is missing")));
        }
        if cells != [Node::Row(Vec::new())] {
            rows.push(cells);
        }
        Ok(Node::Table { alignment, fence, rows })
    }
}
