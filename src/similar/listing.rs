//! Listing of a file in the HTML page, with its passages in color.

use std::collections::BTreeMap;
use std::io;

use softmark_untrusted::Untrusted;

use crate::report::html::Text;
use crate::report::text::{count, fit};
use crate::similar::passages::{LineRange, Passage};

/// Number of colors, after which they begin again.
const HUES: usize = 6;

/// Lines that are shown before and after a passage.
const AROUND: usize = 5;

/// Most lines of a file that are shown, and most columns of a line: a file may be made to fill a browser.
const MOST_LINES: usize = 2_000;
const MOST_COLUMNS: usize = 400;

/// Side of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The first submission of the pair.
    One,
    /// The second submission of the pair.
    Other,
}

/// Passages of a pair, as one side shows them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passages<'a> {
    /// Anchor of the pair.
    pub(super) id: &'a str,
    /// Side that is written.
    pub(super) side: Side,
    /// Passages in the order of the first submission, by which they are numbered.
    pub(super) all: &'a [Passage],
}

impl<'a> Passages<'a> {
    fn place(self, passage: &'a Passage) -> &'a LineRange {
        match self.side {
            Side::One => &passage.one,
            Side::Other => &passage.other,
        }
    }

    /// True if a file has a passage.
    pub(super) fn are_in(self, file: usize) -> bool {
        self.all.iter().any(|passage| self.place(passage).file == file)
    }

    /// Returns the numbers of passages, from 0, by the index of the line that they are in. A line in two passages is of the
    /// first one.
    fn by_line(self, file: usize) -> BTreeMap<usize, usize> {
        let mut lines = BTreeMap::new();
        for (number, passage) in self.all.iter().enumerate() {
            let place = self.place(passage);
            if place.file == file {
                for line in place.first..=place.last {
                    lines.entry(index(line)).or_insert(number);
                }
            }
        }
        lines
    }

    /// Returns the number of the passage that begins in a line, by the index of the line.
    fn beginnings(self, file: usize) -> BTreeMap<usize, Vec<usize>> {
        let mut lines: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, passage) in self.all.iter().enumerate() {
            let place = self.place(passage);
            if place.file == file {
                lines.entry(index(place.first)).or_default().push(number);
            }
        }
        lines
    }

    /// Returns the link from the beginning of a passage to its beginning on the other side.
    fn link(self, number: usize) -> String {
        let (here, there) = match self.side {
            Side::One => ("a", "b"),
            Side::Other => ("b", "a"),
        };
        let (id, shown) = (self.id, number + 1);
        format!("<a id=\"{id}{here}{shown}\" href=\"#{id}{there}{shown}\">{shown}</a>")
    }
}

/// Returns the index of a line that is counted from 1.
fn index(line: u32) -> usize {
    usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1)
}

/// Writes the lines of a file that are in a passage or near one.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub(super) fn listing(
    passages: Passages<'_>,
    file: usize,
    text: &str,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let (by_line, beginnings) = (passages.by_line(file), passages.beginnings(file));
    let is_shown = |line: usize| {
        by_line.range(line.saturating_sub(AROUND)..=line.saturating_add(AROUND)).next().is_some()
    };
    let (mut shown, mut hidden) = (0, 0);
    write!(out, "<pre class=\"listing\">")?;
    for (line, text) in text.lines().enumerate() {
        if shown == MOST_LINES || !is_shown(line) {
            hidden += 1;
            continue;
        }
        gap(hidden, out)?;
        (shown, hidden) = (shown + 1, 0);
        let class = by_line.get(&line).map(|number| format!(" class=\"hue{}\"", number % HUES));
        let numbers = beginnings.get(&line).into_iter().flatten();
        let links: String = numbers.map(|number| passages.link(*number)).collect();
        let (class, number) = (class.unwrap_or_default(), line + 1);
        let text = Text(fit(&Untrusted::from(text).to_string(), MOST_COLUMNS));
        write!(out, "<span{class}>{links}<i>{number}</i>{text}</span>")?;
    }
    gap(hidden, out)?;
    writeln!(out, "</pre>")
}

/// Writes the number of lines that are left out.
fn gap(hidden: usize, out: &mut dyn io::Write) -> io::Result<()> {
    if hidden == 0 {
        return Ok(());
    }
    write!(out, "<span class=\"gap\">⋯ {}</span>", count(hidden, "line", "lines"))
}
