//! Commands that stand for one symbol, name or space.

use super::node::{Accent, Kind, Node, Width};

/// Lower-case Greek letters, which are slanted.
const GREEK: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ϵ"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("vartheta", "ϑ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "ϕ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("ell", "ℓ"),
    ("imath", "ı"),
];

/// Upper-case Greek letters, which stand upright.
const CAPITALS: &[(&str, &str)] = &[
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
];

/// Functions; those with limits have scripts above and below in a displayed formula.
const FUNCTIONS: &[(&str, bool)] = &[
    ("exp", false),
    ("log", false),
    ("ln", false),
    ("sin", false),
    ("cos", false),
    ("tan", false),
    ("sinh", false),
    ("cosh", false),
    ("tanh", false),
    ("arctan", false),
    ("dim", false),
    ("ker", false),
    ("arg", false),
    ("max", true),
    ("min", true),
    ("sup", true),
    ("inf", true),
    ("lim", true),
    ("det", true),
    ("Pr", true),
];

/// All other symbols.
const SYMBOLS: &[(&str, char, Kind)] = &[
    ("infty", '∞', Kind::Ordinary),
    ("partial", '∂', Kind::Ordinary),
    ("nabla", '∇', Kind::Ordinary),
    ("top", '⊤', Kind::Ordinary),
    ("bot", '⊥', Kind::Ordinary),
    ("forall", '∀', Kind::Ordinary),
    ("exists", '∃', Kind::Ordinary),
    ("emptyset", '∅', Kind::Ordinary),
    ("ldots", '…', Kind::Ordinary),
    ("dots", '…', Kind::Ordinary),
    ("cdots", '⋯', Kind::Ordinary),
    ("vdots", '⋮', Kind::Ordinary),
    ("ddots", '⋱', Kind::Ordinary),
    ("prime", '′', Kind::Ordinary),
    ("neg", '¬', Kind::Ordinary),
    ("lnot", '¬', Kind::Ordinary),
    ("%", '%', Kind::Ordinary),
    ("#", '#', Kind::Ordinary),
    ("&", '&', Kind::Ordinary),
    ("_", '_', Kind::Ordinary),
    ("cdot", '·', Kind::Binary),
    ("times", '×', Kind::Binary),
    ("div", '÷', Kind::Binary),
    ("pm", '±', Kind::Binary),
    ("mp", '∓', Kind::Binary),
    ("ast", '∗', Kind::Binary),
    ("star", '⋆', Kind::Binary),
    ("circ", '∘', Kind::Binary),
    ("odot", '⊙', Kind::Binary),
    ("oplus", '⊕', Kind::Binary),
    ("ominus", '⊖', Kind::Binary),
    ("otimes", '⊗', Kind::Binary),
    ("cup", '∪', Kind::Binary),
    ("cap", '∩', Kind::Binary),
    ("setminus", '∖', Kind::Binary),
    ("land", '∧', Kind::Binary),
    ("wedge", '∧', Kind::Binary),
    ("lor", '∨', Kind::Binary),
    ("vee", '∨', Kind::Binary),
    ("leq", '≤', Kind::Relation),
    ("le", '≤', Kind::Relation),
    ("geq", '≥', Kind::Relation),
    ("ge", '≥', Kind::Relation),
    ("neq", '≠', Kind::Relation),
    ("ne", '≠', Kind::Relation),
    ("lt", '<', Kind::Relation),
    ("gt", '>', Kind::Relation),
    ("ll", '≪', Kind::Relation),
    ("gg", '≫', Kind::Relation),
    ("approx", '≈', Kind::Relation),
    ("equiv", '≡', Kind::Relation),
    ("sim", '∼', Kind::Relation),
    ("simeq", '≃', Kind::Relation),
    ("propto", '∝', Kind::Relation),
    ("in", '∈', Kind::Relation),
    ("ni", '∋', Kind::Relation),
    ("notin", '∉', Kind::Relation),
    ("subset", '⊂', Kind::Relation),
    ("subseteq", '⊆', Kind::Relation),
    ("supset", '⊃', Kind::Relation),
    ("mid", '∣', Kind::Relation),
    ("parallel", '∥', Kind::Relation),
    ("perp", '⟂', Kind::Relation),
    ("to", '→', Kind::Relation),
    ("rightarrow", '→', Kind::Relation),
    ("longrightarrow", '⟶', Kind::Relation),
    ("gets", '←', Kind::Relation),
    ("leftarrow", '←', Kind::Relation),
    ("leftrightarrow", '↔', Kind::Relation),
    ("mapsto", '↦', Kind::Relation),
    ("Rightarrow", '⇒', Kind::Relation),
    ("implies", '⟹', Kind::Relation),
    ("Leftrightarrow", '⇔', Kind::Relation),
    ("iff", '⟺', Kind::Relation),
    ("sum", '∑', Kind::Large),
    ("prod", '∏', Kind::Large),
    ("int", '∫', Kind::Large),
    ("bigcup", '⋃', Kind::Large),
    ("bigcap", '⋂', Kind::Large),
    ("bigoplus", '⨁', Kind::Large),
    ("{", '{', Kind::Open),
    ("langle", '⟨', Kind::Open),
    ("lfloor", '⌊', Kind::Open),
    ("lceil", '⌈', Kind::Open),
    ("lvert", '|', Kind::Open),
    ("lVert", '‖', Kind::Open),
    ("}", '}', Kind::Close),
    ("rangle", '⟩', Kind::Close),
    ("rfloor", '⌋', Kind::Close),
    ("rceil", '⌉', Kind::Close),
    ("rvert", '|', Kind::Close),
    ("rVert", '‖', Kind::Close),
    ("|", '‖', Kind::Tight),
    ("vert", '|', Kind::Tight),
    ("colon", ':', Kind::Punctuation),
];

/// Spaces.
const SPACES: &[(&str, Width)] = &[
    ("!", Width::None),
    (",", Width::Thin),
    (":", Width::Medium),
    (">", Width::Medium),
    (";", Width::Thick),
    (" ", Width::Thick),
    ("quad", Width::Quad),
    ("qquad", Width::DoubleQuad),
];

/// Marks above a part.
const ACCENTS: &[Accent] = &[
    Accent { name: "hat", combining: '\u{302}', alone: '^' },
    Accent { name: "widehat", combining: '\u{302}', alone: '^' },
    Accent { name: "bar", combining: '\u{304}', alone: '¯' },
    Accent { name: "overline", combining: '\u{304}', alone: '¯' },
    Accent { name: "tilde", combining: '\u{303}', alone: '˜' },
    Accent { name: "widetilde", combining: '\u{303}', alone: '˜' },
    Accent { name: "dot", combining: '\u{307}', alone: '˙' },
    Accent { name: "ddot", combining: '\u{308}', alone: '¨' },
    Accent { name: "vec", combining: '\u{20d7}', alone: '→' },
];

/// Returns what the command `name` stands for, if it is one symbol, name or space.
pub(super) fn command(name: &str) -> Option<Node> {
    let named = |list: &[(&str, &'static str)]| {
        list.iter().find(|(it, _)| *it == name).map(|(_, text)| (*text).to_owned())
    };
    if let Some(text) = named(GREEK) {
        return Some(Node::Identifier { text, is_upright: false });
    }
    if let Some(text) = named(CAPITALS) {
        return Some(Node::Identifier { text, is_upright: true });
    }
    if let Some((name, has_limits)) = FUNCTIONS.iter().find(|(it, _)| *it == name) {
        return Some(Node::Function { name: (*name).to_owned(), has_limits: *has_limits });
    }
    if let Some((_, width)) = SPACES.iter().find(|(it, _)| *it == name) {
        return Some(Node::Space(*width));
    }
    let found = SYMBOLS.iter().find(|(it, _, _)| *it == name);
    found.map(|(_, symbol, kind)| Node::Symbol { symbol: *symbol, kind: *kind })
}

/// Returns the mark that the command `name` puts above a part.
pub(super) fn accent(name: &str) -> Option<Accent> {
    ACCENTS.iter().find(|accent| accent.name == name).copied()
}

/// Returns what a character that is neither an ASCII letter nor a digit stands for; symbols may be written as themselves.
pub(super) fn character(c: char) -> Option<Node> {
    let (symbol, kind) = match c {
        '+' => ('+', Kind::Binary),
        '-' => ('−', Kind::Binary),
        '*' => ('∗', Kind::Binary),
        '/' | '|' => (c, Kind::Tight),
        '=' | '<' | '>' | ':' => (c, Kind::Relation),
        '(' | '[' => (c, Kind::Open),
        ')' | ']' | '!' => (c, Kind::Close),
        ',' | ';' => (c, Kind::Punctuation),
        '.' | '?' | '"' => (c, Kind::Ordinary),
        c if c.is_alphabetic() => {
            return Some(Node::Identifier { text: c.into(), is_upright: c.is_uppercase() });
        }
        c => {
            let (_, symbol, kind) = SYMBOLS.iter().find(|(_, symbol, _)| *symbol == c)?;
            (*symbol, *kind)
        }
    };
    Some(Node::Symbol { symbol, kind })
}
