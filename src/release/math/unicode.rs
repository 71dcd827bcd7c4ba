//! Writes formulas as Unicode text.

use super::block::Block;
use super::node::{Formula, Kind, Node, Width};
use super::scripts;
use super::spacing::{Edge, End, Spacing, Written, edge, is_space_between};

/// Writes a formula; an inline one has one line.
pub(in crate::release) fn unicode(formula: &Formula) -> String {
    let block = row(&formula.row, Spacing::Wide);
    block.lines().collect::<Vec<_>>().join("\n")
}

fn row(nodes: &[Node], spacing: Spacing) -> Block {
    let mut parts = Vec::new();
    let mut before: Option<Written> = None;
    let mut is_apart = false;
    for (at, node) in nodes.iter().enumerate() {
        if *node == Node::Gap {
            is_apart = true;
            continue;
        }
        let after = nodes.iter().skip(at + 1).find(|node| **node != Node::Gap);
        let is_slash = *node == Node::Symbol { symbol: '/', kind: Kind::Tight };
        let is_spaced = is_slash && (is_apart || nodes.get(at + 1) == Some(&Node::Gap));
        let mut block = block(node, spacing);
        let (mut start, mut end) = (edge(node, End::Start, &block), edge(node, End::End, &block));
        if needs_brackets(node, before.as_ref(), after) {
            block = in_brackets(block);
            (start, end) = (Edge::Symbol(Kind::Open), Edge::Symbol(Kind::Close));
        }
        if is_spaced {
            (start, end) = (Edge::Symbol(Kind::Binary), Edge::Symbol(Kind::Binary));
        }
        let part = Written { block, start, end, is_apart };
        if before.as_ref().is_some_and(|before| is_space_between(before, &part, spacing)) {
            parts.push(Block::line(" "));
        }
        parts.push(part.block.clone());
        before = Some(part);
        is_apart = false;
    }
    Block::join(&parts)
}

/// True if a fraction would be read otherwise beside its neighbors.
fn needs_brackets(node: &Node, before: Option<&Written>, after: Option<&Node>) -> bool {
    let Node::Fraction { .. } = node else { return false };
    let is_bound = before.is_some_and(|it| {
        matches!(it.end, Edge::Function | Edge::Large | Edge::Symbol(Kind::Tight))
    });
    let goes_on = match after {
        None | Some(Node::Space(_) | Node::Text(_)) => false,
        Some(Node::Symbol { kind, .. }) => {
            matches!(kind, Kind::Ordinary | Kind::Large | Kind::Open | Kind::Prefix | Kind::Tight)
        }
        Some(_) => true,
    };
    is_bound || goes_on
}

fn in_brackets(block: Block) -> Block {
    Block::join(&[Block::line("("), block, Block::line(")")])
}

fn block(node: &Node, spacing: Spacing) -> Block {
    match node {
        Node::Row(nodes) => row(nodes, spacing),
        Node::Gap => Block::line(""),
        Node::Space(width) => Block::line(match width {
            Width::None => "",
            Width::Thin | Width::Medium | Width::Thick => " ",
            Width::Quad => "  ",
            Width::DoubleQuad => "    ",
        }),
        Node::Identifier { text, .. } | Node::Number(text) | Node::Text(text) => {
            Block::line(text.as_str())
        }
        Node::Function { name, .. } => Block::line(name.as_str()),
        Node::Symbol { symbol, .. } => Block::line(*symbol),
        Node::Fraction { numerator, denominator } => fraction(numerator, denominator, spacing),
        Node::Root { degree, content } => root(degree.as_deref(), content),
        Node::Scripts { base, sub, sup } => {
            with_scripts(base, sub.as_deref(), sup.as_deref(), spacing)
        }
        Node::Accented { accent, content } => {
            let content = row(std::slice::from_ref(content), spacing);
            let text = content.text();
            if text.chars().count() == 1 {
                return Block::line(format!("{text}{}", accent.combining));
            }
            Block::line(format!("{}({text})", accent.name))
        }
        Node::Fenced { fence, content } => row(content, spacing).fenced(*fence),
        Node::Table { alignment, fence, rows } => {
            let cells =
                |cells: &Vec<Node>| cells.iter().map(|cell| block(cell, Spacing::Wide)).collect();
            let rows: Vec<Vec<Block>> = rows.iter().map(cells).collect();
            Block::table(&rows, *alignment).fenced(*fence)
        }
    }
}

fn fraction(numerator: &Node, denominator: &Node, spacing: Spacing) -> Block {
    let side = |node: &Node, needs_brackets: bool| {
        let block = block(node, spacing);
        if needs_brackets { in_brackets(block) } else { block }
    };
    let is_tight = spacing == Spacing::Compact || is_short(numerator) && is_short(denominator);
    let slash = Block::line(if is_tight { "/" } else { " / " });
    let numerator = side(numerator, !is_product(numerator));
    Block::join(&[numerator, slash, side(denominator, !denominator.is_single())])
}

/// True if a part is a letter or a number in digits.
fn is_short(node: &Node) -> bool {
    if let Node::Row(nodes) = node {
        return matches!(nodes.as_slice(), [node] if is_short(node));
    }
    matches!(node, Node::Number(_))
        || matches!(node, Node::Identifier { text, .. } if text.chars().count() == 1)
}

/// True if a part has no operator that binds less than a slash.
fn is_product(node: &Node) -> bool {
    let Node::Row(nodes) = node else { return node.is_single() };
    // What is in brackets binds by itself.
    let mut depth = 0_usize;
    for node in nodes {
        depth = depth.saturating_sub(usize::from(is_closing(node)));
        if depth == 0 && binds_less(node) {
            return false;
        }
        depth += usize::from(matches!(node, Node::Symbol { kind: Kind::Open, .. }));
    }
    true
}

/// True if a part binds less than a slash.
fn binds_less(node: &Node) -> bool {
    if let Node::Symbol { kind: Kind::Binary, symbol } = node {
        return !['·', '×', '⊙'].contains(symbol);
    }
    let kind = symbol_kind(node);
    matches!(node, Node::Fraction { .. })
        || matches!(kind, Some(Kind::Relation | Kind::Punctuation | Kind::Large))
}

/// True if a part is a closing bracket, with or without scripts.
fn is_closing(node: &Node) -> bool {
    symbol_kind(node) == Some(Kind::Close)
}

/// Returns the kind of a symbol, with or without scripts.
fn symbol_kind(node: &Node) -> Option<Kind> {
    if let Node::Scripts { base, .. } = node {
        return symbol_kind(base);
    }
    if let Node::Symbol { kind, .. } = node { Some(*kind) } else { None }
}

fn root(degree: Option<&Node>, content: &Node) -> Block {
    let degree = degree.map(|node| block(node, Spacing::Compact).text());
    let sign = match degree.as_deref() {
        None => "√".to_owned(),
        Some("3") => "∛".to_owned(),
        Some("4") => "∜".to_owned(),
        Some(degree) => scripts::superscript(degree)
            .map_or_else(|| format!("root({degree})"), |degree| format!("{degree}√")),
    };
    let inside = block(content, Spacing::Wide);
    let inside = if content.is_single() { inside } else { in_brackets(inside) };
    Block::join(&[Block::line(sign), inside])
}

/// True if scripts after a part are read as scripts of the whole part.
fn takes_scripts(base: &Node) -> bool {
    if let Node::Row(nodes) = base
        && let [node] = nodes.as_slice()
    {
        return takes_scripts(node);
    }
    base.is_single() && !matches!(base, Node::Root { .. } | Node::Scripts { .. })
}

fn with_scripts(base: &Node, sub: Option<&Node>, sup: Option<&Node>, spacing: Spacing) -> Block {
    let written = block(base, spacing);
    let written = if takes_scripts(base) { written } else { in_brackets(written) };
    let text = |node| block(node, Spacing::Compact).text();
    let scripts = scripts::text(sub.map(text).as_deref(), sup.map(text).as_deref());
    Block::join(&[written, Block::line(scripts)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::math::node::Layout;
    use crate::release::math::parser::parse;

    fn inline(text: &str) -> String {
        unicode(&parse(text, Layout::Inline).unwrap())
    }

    /// Asserts what each formula is written as.
    fn all(formulas: &[(&str, &str)]) {
        for (latex, text) in formulas {
            assert_eq!(inline(latex), *text, "{latex}");
        }
    }

    #[test]
    fn letters_numbers_and_words() {
        all(&[
            (r"\alpha + \Delta", "α + Δ"),
            ("QK", "QK"),
            ("Q K", "Q K"),
            ("2x", "2x"),
            ("x 2", "x 2"),
            ("0.5", "0.5"),
            (r"\mathbf{W}x \in \mathbb{R}^{T \times D}", "𝐖x ∈ ℝ^(T×D)"),
            (r"\mathcal{L}", "ℒ"),
            (r"\mathrm{FFN}(x)", "FFN(x)"),
            (r"x \text{ if } y > 0", "x if y > 0"),
            (r"x\text{where}~y", "xwhere y"),
            (r"1, \ldots, n", "1, …, n"),
            (r"\infty", "∞"),
            ("β ≤ 1", "β ≤ 1"),
        ]);
    }

    #[test]
    fn operators_have_space_and_signs_have_none() {
        all(&[
            ("a+b", "a + b"),
            ("-a", "−a"),
            ("a = -b", "a = −b"),
            ("a - -b", "a − −b"),
            ("(-1)", "(−1)"),
            (r"f(\cdot)", "f(·)"),
            ("K^*", "K*"),
            (r"\operatorname{rate} \cdot \lambda", "rate · λ"),
            (r"\log -x", "log −x"),
            (r"x \odot y \oplus z", "x ⊙ y ⊕ z"),
            (r"f: X \to Y", "f : X → Y"),
            ("i/d", "i/d"),
            (r"K^\top / d_k", "Kᵀ / d_k"),
            ("|x|", "|x|"),
            (r"\lVert x \rVert", "‖x‖"),
            (r"p(x \mid y)", "p(x ∣ y)"),
            (r"\{a, b\}", "{a, b}"),
            (r"a\,b\quad c\!d", "a b  cd"),
        ]);
    }

    #[test]
    fn scripts() {
        all(&[
            ("x^2", "x²"),
            ("x_1^2", "x₁²"),
            ("x_i^2", "x_i^2"),
            (r"d_k x", "d_k x"),
            (r"K^\top", "Kᵀ"),
            (r"W_i^Q", "W_i^Q"),
            (r"W_q^\top R^\top x", "W_qᵀ Rᵀ x"),
            (r"PE_{t, 2i}", "PE_(t,2i)"),
            (r"h_{t-1}", "h_(t−1)"),
            (r"d_{\text{model}}", "d_model"),
            (r"10000^{-2i/d}", "10000^(−2i/d)"),
            ("e^{-x}", "e⁻ˣ"),
            ("x^{(l)}", "x⁽ˡ⁾"),
            ("x_{(l)}", "x_(l)"),
            ("f'(x)", "f′(x)"),
            ("x'_i", "x′_i"),
            ("f''", "f′′"),
            ("x_{ij}", "x_ij"),
            ("{x_i}^2", "(x_i)²"),
            ("(a + b)^2", "(a + b)²"),
            (r"\sigma_1 \sigma_2", "σ₁ σ₂"),
        ]);
    }

    #[test]
    fn functions_and_large_operators() {
        all(&[
            (r"\exp(x)", "exp(x)"),
            (r"\log p", "log p"),
            (r"x \log x", "x log x"),
            (r"2\sin\theta", "2 sin θ"),
            (r"\max_{j \leq i} x_j", "max_(j≤i) x_j"),
            (r"\sum_{i=1}^{n} x_i", "∑_(i=1)^n x_i"),
            (r"\prod_t p_t", "∏_t p_t"),
            (r"\operatorname{softmax}(x)", "softmax(x)"),
            (r"\operatorname*{arg\,max}_i x_i", "arg max_i x_i"),
            (r"\log|x|", "log|x|"),
            (r"\sum_c (x_c - \mu)^2", "∑_c (x_c − μ)²"),
        ]);
    }

    #[test]
    fn fractions_have_brackets_where_they_would_be_read_otherwise() {
        all(&[
            (r"\frac{a}{b}", "a/b"),
            (r"\frac12", "1/2"),
            (r"\frac{1}{2} x", "(1/2) x"),
            (r"\frac{a + b}{c}", "(a + b) / c"),
            (r"\frac{1}{2\sigma}", "1 / (2σ)"),
            (r"\frac{(a + b) c}{d}", "(a + b) c / d"),
            (r"\frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta", "(x − μ) / √(σ² + ϵ) + β"),
            (r"\frac{\partial L}{\partial x}", "∂L / ∂x"),
            (r"\frac{\partial L}{\partial \, W_t}", "∂L / ∂ W_t"),
            (r"\exp\frac{a}{b}", "exp(a/b)"),
            (r"\frac{\frac{a}{b}}{c}", "(a/b) / c"),
            (r"x^{\frac{1}{2}}", "x^(1/2)"),
            (
                r"\operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
                "softmax(Q Kᵀ / √d_k) V",
            ),
        ]);
    }

    #[test]
    fn roots_and_accents() {
        all(&[
            (r"\sqrt{d}", "√d"),
            (r"\sqrt{d_k}", "√d_k"),
            (r"\sqrt{x + 1}", "√(x + 1)"),
            (r"\sqrt[3]{x}", "∛x"),
            (r"\sqrt[n]{x}", "ⁿ√x"),
            (r"\sqrt{x}^2", "(√x)²"),
            (r"\hat y", "y\u{302}"),
            (r"\bar{x}_i", "x\u{304}_i"),
            (r"\tilde{xy}", "tilde(xy)"),
        ]);
    }

    fn displayed(text: &str) -> String {
        unicode(&parse(text, Layout::Displayed).unwrap())
    }

    #[test]
    fn matrices_have_lines() {
        let text = displayed(
            r"R = \begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix} x",
        );
        assert_eq!(text, "R = ⎛ cos θ  −sin θ ⎞ x\n    ⎝ sin θ  cos θ  ⎠");
        let text = displayed(r"\begin{bmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ 1 & 1 & 1 \end{bmatrix}");
        assert_eq!(text, "⎡ 1  0  0 ⎤\n⎢ 1  1  0 ⎥\n⎣ 1  1  1 ⎦");
        assert_eq!(displayed(r"\begin{pmatrix} a \end{pmatrix}"), "(a)");
    }

    #[test]
    fn cases_and_equations_have_lines() {
        let text = displayed(
            r"m_{ij} = \begin{cases} 0 & \text{if } j \leq i \\ -\infty & \text{otherwise} \end{cases}",
        );
        assert_eq!(text, "m_ij = ⎧ 0   if j ≤ i\n       ⎩ −∞  otherwise");
        let text =
            displayed("\\begin{aligned}\n  y &= a + b \\\\\n  zz &= \\frac{a}{b}\n\\end{aligned}");
        assert_eq!(text, " y = a + b\nzz = a/b");
        let text = displayed(r"\left[ \begin{matrix} a \\ b \end{matrix} \right]");
        assert_eq!(text, "⎡ a ⎤\n⎣ b ⎦");
    }
}
