//! Block of lines, which is one part of a row of text.

use unicode_width::UnicodeWidthStr;

use super::node::{Alignment, Fence};

/// Lines of text, of which one is level with the text beside them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Lines, from top to bottom; at least one.
    lines: Vec<String>,
    /// Place of the line that is level with other text.
    base: usize,
}

impl Block {
    /// Makes a block of one line.
    pub(super) fn line(text: impl Into<String>) -> Self {
        Self { lines: vec![text.into()], base: 0 }
    }

    /// Returns the lines, without spaces at their ends.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.trim_end())
    }

    /// Returns the line that is level with other text; a block without a table has no other.
    pub(super) fn text(&self) -> String {
        self.lines.get(self.base).cloned().unwrap_or_default()
    }

    /// True if the text begins with a space.
    pub(super) fn starts_with_space(&self) -> bool {
        self.text().starts_with(' ')
    }

    /// True if the text ends with a space.
    pub(super) fn ends_with_space(&self) -> bool {
        self.text().ends_with(' ')
    }

    fn width(&self) -> usize {
        self.lines.iter().map(|line| line.width()).max().unwrap_or(0)
    }

    /// Number of lines below the one that is level with other text.
    fn below(&self) -> usize {
        self.lines.len().saturating_sub(self.base + 1)
    }

    /// Returns the line at a distance from the one that is level with `base`, filled up to the width of the block.
    fn at(&self, line: usize, base: usize) -> String {
        let place = (line + self.base).checked_sub(base);
        let text = place.and_then(|place| self.lines.get(place)).map_or("", String::as_str);
        format!("{text}{}", " ".repeat(self.width().saturating_sub(text.width())))
    }

    /// Joins blocks from left to right.
    pub(super) fn join(blocks: &[Self]) -> Self {
        let base = blocks.iter().map(|block| block.base).max().unwrap_or(0);
        let below = blocks.iter().map(Self::below).max().unwrap_or(0);
        let line = |line| blocks.iter().map(|block| block.at(line, base)).collect();
        Self { lines: (0..=base + below).map(line).collect(), base }
    }

    /// Puts brackets around a block, as tall as it is.
    pub(super) fn fenced(&self, fence: Fence) -> Self {
        let height = self.lines.len();
        let bracket = |symbol: Option<char>| {
            let lines = (0..height).map(|line| {
                symbol.map_or_else(String::new, |it| piece(it, line, height).to_string())
            });
            Self { lines: lines.collect(), base: self.base }
        };
        let space = if height > 1 { Self::line(" ") } else { Self::line("") };
        let (open, close) = (bracket(fence.open), bracket(fence.close));
        let mut parts = vec![self.clone()];
        if fence.open.is_some() {
            parts.splice(0..0, [open, space.clone()]);
        }
        if fence.close.is_some() {
            parts.extend([space, close]);
        }
        Self::join(&parts)
    }

    /// Puts rows of cells below one another.
    pub(super) fn table(rows: &[Vec<Self>], alignment: Alignment) -> Self {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(Self::width).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut lines = Vec::new();
        for row in rows {
            let mut parts = Vec::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let free = width.saturating_sub(cell.width());
                let left = match alignment {
                    Alignment::Centered => free / 2,
                    Alignment::Left => 0,
                    Alignment::Pairs => free * usize::from(column % 2 == 0),
                };
                let between = match alignment {
                    _ if column == 0 => 0,
                    Alignment::Centered | Alignment::Left => 2,
                    Alignment::Pairs if column % 2 == 1 => 1,
                    Alignment::Pairs => 4,
                };
                parts.push(Self::line(" ".repeat(between + left)));
                parts.push(cell.clone());
                parts.push(Self::line(" ".repeat(free - left)));
            }
            lines.extend(Self::join(&parts).lines);
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
        let base = (lines.len() - 1) / 2;
        Self { lines, base }
    }
}

/// Returns the piece of a tall bracket that is in one of its lines.
fn piece(symbol: char, line: usize, height: usize) -> char {
    let [top, middle, bottom] = match symbol {
        '(' => ['⎛', '⎜', '⎝'],
        ')' => ['⎞', '⎟', '⎠'],
        '[' => ['⎡', '⎢', '⎣'],
        ']' => ['⎤', '⎥', '⎦'],
        '{' => ['⎧', '⎪', '⎩'],
        '}' => ['⎫', '⎪', '⎭'],
        '|' => ['│'; 3],
        '‖' => ['║'; 3],
        _ => [symbol; 3],
    };
    match line {
        _ if height == 1 => symbol,
        0 => top,
        _ if line + 1 == height => bottom,
        _ if line == (height - 1) / 2 && symbol == '{' => '⎨',
        _ if line == (height - 1) / 2 && symbol == '}' => '⎬',
        _ => middle,
    }
}
