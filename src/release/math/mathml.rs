//! Writes formulas as MathML Core.

use super::node::{Alignment, Fence, Formula, Kind, Layout, Node, Width};

/// Space between a function and its argument.
const APPLIED: &str = "<mspace width=\"0.167em\"/>";

/// Writes a formula as a `math` element.
pub(in crate::release) fn mathml(formula: &Formula) -> String {
    let (display, size) = match formula.layout {
        Layout::Inline => ("inline", Size::Inline),
        Layout::Displayed => ("block", Size::Displayed),
    };
    format!("<math display=\"{display}\">{}</math>", row(&formula.row, size))
}

/// Room that a part of a formula has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    /// Scripts of large operators stand above and below them.
    Displayed,
    /// They stand beside them.
    Inline,
    /// Operators have no space around them either.
    Script,
}

impl Size {
    /// Returns the room in a fraction.
    fn smaller(self) -> Self {
        if self == Self::Script { Self::Script } else { Self::Inline }
    }
}

/// Writes parts beside one another, as one element.
fn row(nodes: &[Node], size: Size) -> String {
    let nodes: Vec<&Node> = nodes.iter().filter(|node| **node != Node::Gap).collect();
    if let [node] = nodes.as_slice() {
        return element(node, size);
    }
    let mut out = String::from("<mrow>");
    let mut before: Option<&Node> = None;
    for node in nodes {
        let is_applied = before.is_some_and(is_function) && is_operand(node)
            || before.is_some_and(is_operand) && is_function(node);
        if is_applied && size != Size::Script {
            out.push_str(APPLIED);
        }
        out.push_str(&element(node, size));
        before = Some(node);
    }
    out.push_str("</mrow>");
    out
}

/// True if the part is the name of a function, with or without scripts.
fn is_function(node: &Node) -> bool {
    if let Node::Scripts { base, .. } = node {
        return is_function(base);
    }
    matches!(node, Node::Function { .. })
}

/// True if a function needs a space beside the part.
fn is_operand(node: &Node) -> bool {
    match node {
        Node::Symbol { kind, .. } => matches!(kind, Kind::Ordinary),
        Node::Gap | Node::Space(_) | Node::Text(_) | Node::Fenced { .. } | Node::Table { .. } => {
            false
        }
        Node::Scripts { base, .. } => is_operand(base) || is_function(base),
        Node::Row(_)
        | Node::Identifier { .. }
        | Node::Number(_)
        | Node::Function { .. }
        | Node::Fraction { .. }
        | Node::Root { .. }
        | Node::Accented { .. } => true,
    }
}

fn element(node: &Node, size: Size) -> String {
    match node {
        Node::Row(nodes) => row(nodes, size),
        Node::Gap => String::new(),
        Node::Space(width) => format!("<mspace width=\"{}\"/>", em(*width)),
        Node::Identifier { text, is_upright: true } if text.chars().count() == 1 => {
            format!("<mi mathvariant=\"normal\">{}</mi>", escaped(text))
        }
        Node::Function { name: text, .. } | Node::Identifier { text, .. } => {
            format!("<mi>{}</mi>", escaped(text))
        }
        Node::Number(text) => format!("<mn>{}</mn>", escaped(text)),
        Node::Text(text) => format!("<mtext>{}</mtext>", escaped(&text.replace(' ', "\u{a0}"))),
        Node::Symbol { symbol, kind } => operator(*symbol, *kind, size),
        Node::Fraction { numerator, denominator } => {
            let size = size.smaller();
            format!("<mfrac>{}{}</mfrac>", element(numerator, size), element(denominator, size))
        }
        Node::Root { degree: None, content } => {
            format!("<msqrt>{}</msqrt>", element(content, size))
        }
        Node::Root { degree: Some(degree), content } => {
            let (content, degree) = (element(content, size), element(degree, Size::Script));
            format!("<mroot>{content}{degree}</mroot>")
        }
        Node::Scripts { base, sub, sup } => scripts(base, sub.as_deref(), sup.as_deref(), size),
        Node::Accented { accent, content } => {
            let is_wide = accent.name.starts_with("wide") || accent.name == "overline";
            let (content, mark) = (element(content, size), accent.alone);
            format!(
                "<mover accent=\"true\">{content}<mo stretchy=\"{is_wide}\">{mark}</mo></mover>"
            )
        }
        Node::Fenced { fence, content } => fenced(*fence, &row(content, size)),
        Node::Table { alignment, fence, rows } => fenced(*fence, &table(*alignment, rows)),
    }
}

fn em(width: Width) -> &'static str {
    match width {
        Width::None => "0",
        Width::Thin => "0.167em",
        Width::Medium => "0.222em",
        Width::Thick => "0.278em",
        Width::Quad => "1em",
        Width::DoubleQuad => "2em",
    }
}

fn operator(symbol: char, kind: Kind, size: Size) -> String {
    let space = match kind {
        _ if size == Size::Script => "0",
        Kind::Binary => "0.222em",
        Kind::Relation => "0.278em",
        Kind::Ordinary
        | Kind::Prefix
        | Kind::Large
        | Kind::Open
        | Kind::Close
        | Kind::Punctuation
        | Kind::Tight => "0",
    };
    let symbol_text = escaped(&symbol.to_string());
    match kind {
        Kind::Ordinary if symbol.is_alphabetic() || "∞∂∇∅⊤⊥".contains(symbol) => {
            format!("<mi mathvariant=\"normal\">{symbol_text}</mi>")
        }
        Kind::Ordinary | Kind::Binary | Kind::Relation | Kind::Tight => format!(
            "<mo form=\"infix\" stretchy=\"false\" lspace=\"{space}\" rspace=\"{space}\">{symbol_text}</mo>"
        ),
        Kind::Prefix => {
            format!("<mo form=\"prefix\" lspace=\"0\" rspace=\"0\">{symbol_text}</mo>")
        }
        Kind::Large => format!("<mo movablelimits=\"false\">{symbol_text}</mo>"),
        Kind::Open => format!("<mo form=\"prefix\" stretchy=\"false\">{symbol_text}</mo>"),
        Kind::Close => format!("<mo form=\"postfix\" stretchy=\"false\">{symbol_text}</mo>"),
        Kind::Punctuation => {
            let space = if size == Size::Script { "0" } else { "0.167em" };
            format!("<mo separator=\"true\" lspace=\"0\" rspace=\"{space}\">{symbol_text}</mo>")
        }
    }
}

fn scripts(base: &Node, sub: Option<&Node>, sup: Option<&Node>, size: Size) -> String {
    let has_limits = matches!(base, Node::Function { has_limits: true, .. })
        || matches!(base, Node::Symbol { symbol, kind: Kind::Large } if *symbol != '∫');
    let tags = if has_limits && size == Size::Displayed {
        ["munder", "mover", "munderover"]
    } else {
        ["msub", "msup", "msubsup"]
    };
    let [low, high, both] = tags;
    let base = element(base, size);
    let base = if base.is_empty() { "<mrow></mrow>".to_owned() } else { base };
    let script = |node: &Node| element(node, Size::Script);
    match (sub, sup) {
        (Some(sub), Some(sup)) => format!("<{both}>{base}{}{}</{both}>", script(sub), script(sup)),
        (Some(sub), None) => format!("<{low}>{base}{}</{low}>", script(sub)),
        (None, Some(sup)) => format!("<{high}>{base}{}</{high}>", script(sup)),
        (None, None) => base,
    }
}

fn fenced(fence: Fence, content: &str) -> String {
    let bracket = |symbol: Option<char>, form: &str| {
        let symbol = symbol.map(|it| escaped(&it.to_string()));
        symbol.map(|it| format!("<mo form=\"{form}\" fence=\"true\" stretchy=\"true\">{it}</mo>"))
    };
    let open = bracket(fence.open, "prefix").unwrap_or_default();
    let close = bracket(fence.close, "postfix").unwrap_or_default();
    format!("<mrow>{open}{content}{close}</mrow>")
}

fn table(alignment: Alignment, rows: &[Vec<Node>]) -> String {
    let (class, size) = match alignment {
        Alignment::Centered => ("matrix", Size::Inline),
        Alignment::Left => ("cases", Size::Inline),
        Alignment::Pairs => ("aligned", Size::Displayed),
    };
    let style = if size == Size::Displayed { " displaystyle=\"true\"" } else { "" };
    let mut out = format!("<mtable class=\"{class}\"{style}>");
    for cells in rows {
        out.push_str("<mtr>");
        for cell in cells {
            out.extend(["<mtd>", &element(cell, size), "</mtd>"]);
        }
        out.push_str("</mtr>");
    }
    out.push_str("</mtable>");
    out
}

/// Escapes the characters that HTML gives a meaning.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::math::parser::parse;

    /// Returns what a formula is written as, without the outer element.
    fn written(text: &str, layout: Layout) -> String {
        let text = mathml(&parse(text, layout).unwrap());
        let (_, inside) = text.split_once('>').unwrap();
        inside.strip_suffix("</math>").unwrap().to_owned()
    }

    fn inline(text: &str) -> String {
        written(text, Layout::Inline)
    }

    #[test]
    fn formulas_say_where_they_stand() {
        let display = |layout| mathml(&parse("x", layout).unwrap());
        assert_eq!(display(Layout::Inline), "<math display=\"inline\"><mi>x</mi></math>");
        assert_eq!(display(Layout::Displayed), "<math display=\"block\"><mi>x</mi></math>");
    }

    #[test]
    fn letters_numbers_and_words() {
        assert_eq!(inline("x"), "<mi>x</mi>");
        assert_eq!(inline(r"\Delta"), "<mi mathvariant=\"normal\">Δ</mi>");
        assert_eq!(inline(r"\mathrm{FFN}"), "<mi>FFN</mi>");
        assert_eq!(inline(r"\mathbb{R}"), "<mi mathvariant=\"normal\">ℝ</mi>");
        assert_eq!(inline("0.5"), "<mn>0.5</mn>");
        assert_eq!(inline(r"\text{a \& b}"), "<mtext>a\u{a0}&amp;\u{a0}b</mtext>");
        assert_eq!(inline(r"\quad"), "<mspace width=\"1em\"/>");
    }

    #[test]
    fn operators_say_how_much_space_they_have() {
        let plus = |form, space| {
            let (lspace, rspace) = (format!("lspace=\"{space}\""), format!("rspace=\"{space}\""));
            format!("<mo form=\"{form}\" stretchy=\"false\" {lspace} {rspace}>+</mo>")
        };
        assert!(inline("a + b").contains(&plus("infix", "0.222em")));
        assert!(inline("x_{a + b}").contains(&plus("infix", "0")));
        assert!(inline("a = -b").contains("<mo form=\"prefix\" lspace=\"0\" rspace=\"0\">−</mo>"));
        assert!(inline("a < b").contains("&lt;</mo>"));
        assert!(inline("(x)").starts_with("<mrow><mo form=\"prefix\" stretchy=\"false\">(</mo>"));
        assert!(
            inline("a, b")
                .contains("<mo separator=\"true\" lspace=\"0\" rspace=\"0.167em\">,</mo>")
        );
    }

    #[test]
    fn parts_of_parts() {
        assert_eq!(inline(r"\frac{a}{b}"), "<mfrac><mi>a</mi><mi>b</mi></mfrac>");
        assert_eq!(inline(r"\sqrt{d}"), "<msqrt><mi>d</mi></msqrt>");
        assert_eq!(inline(r"\sqrt[3]{d}"), "<mroot><mi>d</mi><mn>3</mn></mroot>");
        assert_eq!(inline("x^2"), "<msup><mi>x</mi><mn>2</mn></msup>");
        assert_eq!(inline("x_i"), "<msub><mi>x</mi><mi>i</mi></msub>");
        assert_eq!(inline("x_i^2"), "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>");
        assert_eq!(inline("{}^2"), "<msup><mrow></mrow><mn>2</mn></msup>");
        assert_eq!(
            inline(r"\hat{y}"),
            "<mover accent=\"true\"><mi>y</mi><mo stretchy=\"false\">^</mo></mover>"
        );
        let fenced = inline(r"\left( x \right.");
        assert!(fenced.contains("stretchy=\"true\">(</mo><mi>x</mi></mrow>"), "{fenced}");
    }

    #[test]
    fn functions_have_space_and_limits() {
        assert_eq!(inline(r"\log x"), format!("<mrow><mi>log</mi>{APPLIED}<mi>x</mi></mrow>"));
        assert!(!inline(r"\log(x)").contains(APPLIED));
        for (text, tag) in [
            (r"\max_j", "munder"),
            (r"\sum_i^n", "munderover"),
            (r"\int_a^b", "msubsup"),
            (r"\log_2", "msub"),
        ] {
            let text = written(text, Layout::Displayed);
            assert!(text.starts_with(&format!("<{tag}>")), "{text}");
        }
        assert!(inline(r"\max_j").starts_with("<msub>"));
    }

    #[test]
    fn tables_have_rows_and_cells() {
        let text = written(r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", Layout::Displayed);
        let cells = "<mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr>";
        assert!(text.contains(&format!("<mtable class=\"matrix\">{cells}</mtable>")), "{text}");
        let text = written(r"\begin{aligned} a &= b \end{aligned}", Layout::Displayed);
        assert!(text.contains("<mtable class=\"aligned\" displaystyle=\"true\">"), "{text}");
        let text = written(r"\begin{cases} a & b \end{cases}", Layout::Displayed);
        assert!(text.contains(">{</mo><mtable class=\"cases\">"), "{text}");
    }

    /// Each command of the tables is written as the elements that it opens and closes.
    #[test]
    fn elements_are_closed() {
        let text = written(
            r"\begin{aligned} y &= \sqrt{\frac{a_1^2}{\hat b}} \\ z &= \left[ \sum_i x_i \right] \end{aligned}",
            Layout::Displayed,
        );
        let mut reader = quick_xml::Reader::from_str(&text);
        loop {
            if reader.read_event().unwrap() == quick_xml::events::Event::Eof {
                break;
            }
        }
    }
}
