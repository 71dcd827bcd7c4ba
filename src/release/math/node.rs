//! Parts of a formula, as the reader hands them to the writers.

/// Place of a formula on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::release) enum Layout {
    /// In a line of text.
    Inline,
    /// In a block of its own.
    Displayed,
}

/// Formula that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::release) struct Formula {
    /// Place on the page.
    pub(super) layout: Layout,
    /// Parts beside one another.
    pub(super) row: Vec<Node>,
}

/// Part of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// Parts beside one another, in braces.
    Row(Vec<Self>),
    /// Space of the source between two parts. It has no meaning, but says which letters belong together in plain text.
    Gap,
    /// Space that the author asked for.
    Space(Width),
    /// Name of a variable.
    Identifier {
        /// Characters of the name.
        text: String,
        /// True if a single letter stands upright.
        is_upright: bool,
    },
    /// Number in digits.
    Number(String),
    /// Operator, bracket, punctuation mark or another symbol.
    Symbol {
        /// Character.
        symbol: char,
        /// Relation to its neighbors.
        kind: Kind,
    },
    /// Name of a function, such as `exp`.
    Function {
        /// Name.
        name: String,
        /// True if scripts stand above and below it in a displayed formula, as with `max`.
        has_limits: bool,
    },
    /// Words.
    Text(String),
    /// Fraction.
    Fraction {
        /// Numerator.
        numerator: Box<Self>,
        /// Denominator.
        denominator: Box<Self>,
    },
    /// Square root, or another one.
    Root {
        /// Degree, unless it is 2.
        degree: Option<Box<Self>>,
        /// Content.
        content: Box<Self>,
    },
    /// Subscript and superscript.
    Scripts {
        /// Part that has the scripts.
        base: Box<Self>,
        /// Subscript.
        sub: Option<Box<Self>>,
        /// Superscript.
        sup: Option<Box<Self>>,
    },
    /// Mark above a part.
    Accented {
        /// Mark.
        accent: Accent,
        /// Part below the mark.
        content: Box<Self>,
    },
    /// Part between brackets that are as tall as it is.
    Fenced {
        /// Opening and closing bracket.
        fence: Fence,
        /// Content.
        content: Vec<Self>,
    },
    /// Rows of cells.
    Table {
        /// Alignment of the cells.
        alignment: Alignment,
        /// Brackets around the table.
        fence: Fence,
        /// Rows.
        rows: Vec<Vec<Self>>,
    },
}

impl Node {
    /// Symbol that is read like a letter.
    pub(super) fn ordinary(symbol: char) -> Self {
        Self::Symbol { symbol, kind: Kind::Ordinary }
    }

    /// True if the part consists of one symbol, name, number or pair of brackets, with its scripts.
    pub(super) fn is_single(&self) -> bool {
        match self {
            Self::Row(nodes) => {
                // A derivative is one with its variable.
                let is_skipped = |node: &Self| {
                    matches!(node, Self::Gap | Self::Space(_)) || *node == Self::ordinary('∂')
                };
                let mut nodes = nodes.iter().filter(|node| !is_skipped(node));
                nodes.next().is_none_or(Self::is_single) && nodes.next().is_none()
            }
            Self::Fraction { .. } | Self::Table { .. } => false,
            Self::Gap
            | Self::Space(_)
            | Self::Identifier { .. }
            | Self::Number(_)
            | Self::Symbol { .. }
            | Self::Function { .. }
            | Self::Text(_)
            | Self::Root { .. }
            | Self::Scripts { .. }
            | Self::Accented { .. }
            | Self::Fenced { .. } => true,
        }
    }
}

/// Width of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// None: it only ends the name of a command.
    None,
    /// A sixth of an em.
    Thin,
    /// Two ninths of an em.
    Medium,
    /// Five eighteenths of an em.
    Thick,
    /// One em.
    Quad,
    /// Two ems.
    DoubleQuad,
}

/// Relation of a symbol to its neighbors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Read like a letter.
    Ordinary,
    /// Between two operands, as a plus.
    Binary,
    /// Before one operand, as a sign.
    Prefix,
    /// Between two sides, as an equals sign.
    Relation,
    /// Sum, product or integral.
    Large,
    /// Opening bracket.
    Open,
    /// Closing bracket.
    Close,
    /// Comma or semicolon.
    Punctuation,
    /// Slash or bar, without space around it.
    Tight,
}

/// Mark above a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accent {
    /// Name of the command.
    pub(super) name: &'static str,
    /// Character that stands above the one before it.
    pub(super) combining: char,
    /// Character that stands alone.
    pub(super) alone: char,
}

/// Brackets around a part; a missing one is not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fence {
    /// Opening bracket.
    pub(super) open: Option<char>,
    /// Closing bracket.
    pub(super) close: Option<char>,
}

impl Fence {
    pub(super) const fn new(open: char, close: char) -> Self {
        Self { open: Some(open), close: Some(close) }
    }
}

/// Alignment of the cells of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alignment {
    /// All cells are centered, as in a matrix.
    Centered,
    /// All cells begin at the left, as in a distinction of cases.
    Left,
    /// Pairs of columns meet in the middle, as equations at their equals signs.
    Pairs,
}
