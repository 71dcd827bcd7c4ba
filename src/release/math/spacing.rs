//! Spaces between the parts of a formula in plain text.

use super::block::Block;
use super::node::{Kind, Node};

/// Space around operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    /// One space.
    Wide,
    /// None, as in scripts.
    Compact,
}

/// Role of one end of a part for the neighbor there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// One letter, or something else that needs no space beside it.
    Letter,
    /// Digits.
    Number,
    /// Several characters, which would run together with what is beside them.
    Word,
    /// Name of a function.
    Function,
    /// Sum, product or integral.
    Large,
    /// Symbol that is no operand.
    Symbol(Kind),
    /// Words, whose spaces are in them, or a space.
    Text,
}

/// Part of a row, written.
pub(super) struct Written {
    pub(super) block: Block,
    pub(super) start: Edge,
    pub(super) end: Edge,
    /// True if there is a space before it in the source.
    pub(super) is_apart: bool,
}

/// End of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Start,
    End,
}

/// Returns the role of an end of a part for the neighbor there; `block` is the part as it is written.
pub(super) fn edge(node: &Node, end: End, block: &Block) -> Edge {
    match node {
        Node::Symbol { kind: Kind::Ordinary, .. } => Edge::Letter,
        Node::Symbol { kind: Kind::Large, .. } => Edge::Large,
        Node::Function { .. } => Edge::Function,
        Node::Symbol { kind, .. } => Edge::Symbol(*kind),
        Node::Scripts { base, .. } => {
            let text = block.text();
            let is_long = text.contains(['_', '^']) && edge(base, end, block) == Edge::Letter;
            let is_word = end == End::End && (is_long || text.ends_with('ᵀ'));
            if is_word { Edge::Word } else { edge(base, end, block) }
        }
        Node::Number(_) => Edge::Number,
        Node::Text(_) | Node::Space(_) | Node::Gap => Edge::Text,
        Node::Identifier { text, .. } if text.chars().count() > 1 => Edge::Word,
        Node::Identifier { .. } => Edge::Letter,
        Node::Accented { content, .. } => edge(content, end, block),
        Node::Row(nodes) => match if end == End::Start { nodes.first() } else { nodes.last() } {
            Some(node) => edge(node, end, block),
            None => Edge::Letter,
        },
        Node::Fenced { .. } if end == End::Start => Edge::Symbol(Kind::Open),
        Node::Fenced { .. } => Edge::Symbol(Kind::Close),
        Node::Fraction { .. } | Node::Root { .. } | Node::Table { .. } => Edge::Word,
    }
}

/// True if a space belongs between two parts.
pub(super) fn is_space_between(before: &Written, part: &Written, spacing: Spacing) -> bool {
    let (end, start) = (before.end, part.start);
    let is_wide = spacing == Spacing::Wide;
    let is_apart = is_wide && part.is_apart;
    let is =
        |edge: Edge, kinds: &[Kind]| matches!(edge, Edge::Symbol(kind) if kinds.contains(&kind));
    let one_is = |kinds: &[Kind]| is(end, kinds) || is(start, kinds);
    if end == Edge::Text || start == Edge::Text {
        return part.is_apart && !before.block.ends_with_space() && !part.block.starts_with_space();
    }
    if one_is(&[Kind::Binary, Kind::Relation]) {
        return is_wide;
    }
    if is(start, &[Kind::Punctuation, Kind::Close]) || is(end, &[Kind::Open, Kind::Prefix]) {
        return false;
    }
    if end == Edge::Symbol(Kind::Punctuation) {
        return is_wide;
    }
    if one_is(&[Kind::Tight]) {
        return is_apart;
    }
    if end == Edge::Large || start == Edge::Large || start == Edge::Function {
        return true;
    }
    if end == Edge::Function {
        return start != Edge::Symbol(Kind::Open);
    }
    if matches!(end, Edge::Symbol(_)) || matches!(start, Edge::Symbol(_)) {
        return is_apart;
    }
    is_apart || end == Edge::Word || matches!(start, Edge::Word | Edge::Number)
}
