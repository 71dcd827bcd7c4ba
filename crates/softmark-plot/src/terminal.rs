//! Attention weights as text for a terminal.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::attention::check;
use crate::panels::Panel;
use crate::picture::PlotError;

/// Characters for shades, each with the smallest share of the largest weight that it stands for.
const SHADES: [(f64, char); 5] =
    [(0.775, '█'), (0.55, '▓'), (0.325, '▒'), (0.1, '░'), (f64::NEG_INFINITY, ' ')];

/// The maximum width of a label, in columns.
const LABEL: usize = 12;

/// Returns attention weights `weights[query][key]` as text: one row per query, two columns per key, darker
/// characters for larger weights. Beside each row stands the key with the largest weight. The number of a key
/// is that of its column.
///
/// # Errors
///
/// Fails if there are no tokens, or there is not one weight for each pair.
///
/// ```
/// let text = softmark_plot::attention_text(
///     "head 0",
///     &[&[0.9, 0.1], &[0.4, 0.6]],
///     &["who", "wrote"],
///     &["who", "wrote"],
/// )?;
/// assert_eq!(
///     text,
///     "head 0\n\
///      \n\
///      \x20      key  0 1\n\
///      \x20 0 who   │██░░│ 0.90 at 0 who\n\
///      \x20 1 wrote │▒▒▓▓│ 0.60 at 1 wrote\n\
///      \n\
///      █ from 0.70   ▓ from 0.50   ▒ from 0.29   ░ from 0.09\n"
/// );
/// # Ok::<(), softmark_plot::PlotError>(())
/// ```
pub fn attention_text(
    heading: &str,
    weights: &[&[f64]],
    queries: &[&str],
    keys: &[&str],
) -> Result<String, PlotError> {
    check(weights, queries, keys)?;
    let finite = weights.iter().flat_map(|row| row.iter()).filter(|weight| weight.is_finite());
    let largest = finite.fold(0.0, |largest: f64, &weight| largest.max(weight));
    let labels: Vec<String> = queries.iter().map(|label| shortened(label)).collect();
    let width = labels.iter().map(|label| label.width()).max().unwrap_or(0);
    let mut text = format!("{heading}\n\n{:>w$} ", "key", w = width + 5);
    for key in 0..keys.len() {
        write!(text, "{:>2}", key % 100).ok();
    }
    for (query, (row, label)) in weights.iter().zip(&labels).enumerate() {
        let cells: String = row.iter().flat_map(|&weight| [shade(weight, largest); 2]).collect();
        let room = " ".repeat(width - label.width().min(width));
        write!(text, "\n{query:>3} {label}{room} │{cells}│{}", most(row, keys)).ok();
    }
    text.push_str("\n\n");
    let shades = SHADES.iter().filter(|(from, _)| *from > 0.0);
    let legend: Vec<String> =
        shades.map(|(from, shade)| format!("{shade} from {:.2}", from * largest)).collect();
    text.push_str(&legend.join("   "));
    if weights.iter().any(|row| row.iter().any(|weight| !weight.is_finite())) {
        text.push_str("   ? no number");
    }
    text.push('\n');
    Ok(text)
}

/// Returns the heads of layers as text, with the heads of a layer side by side. Each head looks as in
/// [`attention_text`], with its caption above it and without the names of the keys. The darkest shade stands
/// for a weight of 1, so that heads can be compared.
///
/// # Errors
///
/// Fails if there are no heads or no tokens, or there is not one weight for each pair.
///
/// ```
/// use softmark_plot::{Panel, attention_panels_text};
///
/// let (even, sharp): ([&[f64]; 2], [&[f64]; 2]) = ([&[0.5, 0.5]; 2], [&[1.0, 0.0]; 2]);
/// let head = |name: &str, weights| Panel { caption: name.to_owned(), weights };
/// let heads = vec![head("head 0", &even), head("head 1", &sharp)];
/// let text = attention_panels_text(&[("layer 0", heads)], &["who", "wrote"])?;
/// assert_eq!(
///     text,
///     "layer 0\n\
///      \x20       head 0  head 1\n\
///      \x20 who   │▒▒▒▒│  │██  │\n\
///      \x20 wrote │▒▒▒▒│  │██  │\n\
///      \n\
///      █ from 0.78   ▓ from 0.55   ▒ from 0.33   ░ from 0.10\n"
/// );
/// # Ok::<(), softmark_plot::PlotError>(())
/// ```
pub fn attention_panels_text(
    rows: &[(&str, Vec<Panel<'_>>)],
    tokens: &[&str],
) -> Result<String, PlotError> {
    let across = rows.iter().map(|(_, panels)| panels.len()).max().unwrap_or(0);
    if across == 0 {
        return Err(PlotError::Empty { what: "there are no heads" });
    }
    for panel in rows.iter().flat_map(|(_, panels)| panels) {
        check(panel.weights, tokens, tokens)?;
    }
    let labels: Vec<String> = tokens.iter().map(|label| shortened(label)).collect();
    let width = labels.iter().map(|label| label.width()).max().unwrap_or(0);
    // Two columns per key where they fit.
    let wide = width + 3 + across * (2 * tokens.len() + 4) <= SCREEN;
    let key = if wide { 2 } else { 1 };
    let captions = rows.iter().flat_map(|(_, panels)| panels).map(|it| it.caption.width());
    let block = captions.max().unwrap_or(0).max(key * tokens.len() + 2) + 2;
    let mut text = String::new();
    for (name, panels) in rows {
        writeln!(text, "{}", shortened(name)).ok();
        let captions: String = panels.iter().map(|panel| padded(&panel.caption, block)).collect();
        writeln!(text, "{}{}", " ".repeat(width + 3), captions.trim_end()).ok();
        for (row, label) in labels.iter().enumerate() {
            let cells: String =
                panels.iter().map(|panel| padded(&framed(panel, row, key), block)).collect();
            writeln!(text, "  {} {}", padded(label, width), cells.trim_end()).ok();
        }
        text.push('\n');
    }
    let shades = SHADES.iter().filter(|(from, _)| *from > 0.0);
    let legend: Vec<String> =
        shades.map(|(from, shade)| format!("{shade} from {from:.2}")).collect();
    writeln!(text, "{}", legend.join("   ")).ok();
    Ok(text)
}

/// Returns a row of a panel in its frame; each weight takes `key` columns.
fn framed(panel: &Panel<'_>, row: usize, key: usize) -> String {
    let weights = panel.weights.get(row).copied().unwrap_or_default();
    let shades = weights.iter().flat_map(|w| std::iter::repeat_n(shade(*w, 1.0), key));
    format!("│{}│", shades.collect::<String>())
}

/// The width of a common terminal, in columns.
const SCREEN: usize = 100;

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width - text.width().min(width)))
}

/// Returns the character that shows a weight relative to the largest weight.
fn shade(weight: f64, largest: f64) -> char {
    if !weight.is_finite() {
        return '?';
    }
    let share = if largest > 0.0 { weight / largest } else { 0.0 };
    SHADES.iter().find(|(from, _)| share >= *from).map_or(' ', |&(_, shade)| shade)
}

/// Describes the key with the largest weight of a row; the first of equal ones.
fn most(row: &[f64], keys: &[&str]) -> String {
    let finite = row.iter().zip(keys).enumerate().filter(|(_, (weight, _))| weight.is_finite());
    let most = finite.reduce(|most, next| if most.1.0 >= next.1.0 { most } else { next });
    most.map_or(String::new(), |(key, (weight, label))| {
        format!(" {weight:.2} at {key} {}", shortened(label))
    })
}

/// Returns a label cut to [`LABEL`] columns; characters without a width, such as control characters, become dots.
fn shortened(label: &str) -> String {
    let shown = |c: char| if c.width().unwrap_or(0) == 0 { '·' } else { c };
    let label: String = label.chars().map(shown).collect();
    if label.width() <= LABEL {
        return label;
    }
    let mut room = LABEL - 1;
    let fits = |c: &char| {
        let left = room.checked_sub(c.width().unwrap_or(0));
        room = left.unwrap_or(0);
        left.is_some()
    };
    label.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_equals_is_as_dark_as_it_gets() {
        let text = attention_text("h", &[&[0.5, 0.5]], &["q"], &["a", "b"]).unwrap();
        assert!(text.contains("  0 q │████│ 0.50 at 0 a\n"), "{text}");
    }

    #[test]
    fn what_is_no_number_is_marked() {
        let rows: [&[f64]; 2] = [&[f64::NAN, f64::NAN], &[0.0, f64::INFINITY]];
        let text = attention_text("h", &rows, &["q", "r"], &["a", "b"]).unwrap();
        assert!(text.contains("  0 q │????│\n  1 r │  ??│ 0.00 at 0 a\n"), "{text}");
        assert!(text.ends_with("? no number\n"), "{text}");
    }

    #[test]
    fn labels_are_cut_and_move_no_cursor() {
        let label = "a very long word\u{1b}[2J";
        let text = attention_text("h", &[&[1.0]], &[label], &["\n"]).unwrap();
        assert!(text.contains("  0 a very long… │██│ 1.00 at 0 ·\n"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
        let hidden = attention_text("h", &[&[1.0]], &["a\u{202e}b"], &["k"]).unwrap();
        assert!(hidden.contains("  0 a·b │██│"), "{hidden}");
    }

    #[test]
    fn columns_stand_below_one_another_in_any_script() {
        let rows: [&[f64]; 3] = [&[1.0]; 3];
        let text =
            attention_text("h", &rows, &["注意", "abc", "自注意力机制的权重"], &["k"]).unwrap();
        let before = |line: &str| line.split_once('│').map(|(before, _)| before.width());
        let widths: Vec<usize> = text.lines().filter_map(before).collect();
        assert_eq!(widths, [16, 16, 16], "{text}");
    }

    #[test]
    fn what_does_not_fit_is_told() {
        assert!(attention_text("h", &[], &[], &["a"]).is_err());
        assert!(attention_text("h", &[&[1.0]], &["q"], &["a", "b"]).is_err());
        assert!(attention_text("h", &[&[1.0]], &["q", "r"], &["a"]).is_err());
    }
}
