//! Prints comparisons: a table of pairs with their passages, and what the figures mean.

use std::io;

use crate::report::Layout;
use crate::report::terminal::Ink;
use crate::report::text::{count, fit, pad_left, width, wrap};
use crate::similar::comparison::{Comparison, Pair};
use crate::similar::findings::Findings;
use crate::similar::passages::Passage;
use crate::similar::words;

/// Most pairs that are printed for an assignment.
const MOST_PAIRS: usize = 40;

/// Most passages that are printed for a pair, the longest ones.
const MOST_PASSAGES: usize = 3;

/// Most submissions that are listed as not compared.
const MOST_LEFT_OUT: usize = 10;

/// Columns of the share, and of a number of tokens.
const SHARE: usize = 7;
const TOKENS: usize = 8;

/// Text, line by line.
struct Page<'a> {
    layout: Layout,
    out: &'a mut dyn io::Write,
}

/// Writes the comparisons.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub(super) fn write(
    findings: Findings<'_>,
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page { layout, out };
    for comparison in findings.comparisons {
        page.comparison(comparison)?;
    }
    if findings.comparisons.is_empty() {
        page.line(Ink::Plain, "no submission could be compared")?;
    }
    page.left_out(findings)?;
    if findings.comparisons.iter().any(|it| !it.pairs.is_empty()) {
        for text in [words::MEANING, words::NO_VERDICT] {
            writeln!(page.out)?;
            page.paragraph(text)?;
        }
    }
    Ok(())
}

impl Page<'_> {
    fn line(&mut self, ink: Ink, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.layout.style.paint(ink, text))
    }

    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        let columns = self.layout.columns();
        wrap(text, columns).iter().try_for_each(|text| self.line(Ink::Faint, text))
    }

    fn comparison(&mut self, comparison: &Comparison) -> io::Result<()> {
        let (columns, style) = (self.layout.columns(), self.layout.style);
        let size = words::size(comparison);
        let name = fit(&comparison.assignment, columns.saturating_sub(width(&size) + 1));
        let gap = " ".repeat(columns.saturating_sub(width(&name) + width(&size)));
        writeln!(self.out, "{}{gap}{size}", style.paint(Ink::Strong, &name))?;
        self.line(Ink::Faint, &"─".repeat(columns))?;
        if !comparison.pairs.is_empty() {
            let [share, tokens, longest] =
                [("share", SHARE), ("tokens", TOKENS), ("longest", TOKENS + 1)]
                    .map(|(title, columns)| pad_left(title, columns));
            self.line(Ink::Faint, &format!("{share}{tokens}{longest}   pair"))?;
        }
        for pair in comparison.pairs.iter().take(MOST_PAIRS) {
            self.pair(comparison, pair)?;
        }
        let more = comparison.pairs.len().saturating_sub(MOST_PAIRS);
        if more > 0 {
            let text = format!("… and {}; --format json has all", count(more, "more", "more"));
            self.line(Ink::Faint, &text)?;
        }
        if !comparison.pairs.is_empty() {
            writeln!(self.out)?;
        }
        self.paragraph(&words::reported(comparison))
    }

    fn pair(&mut self, comparison: &Comparison, pair: &Pair) -> io::Result<()> {
        let (columns, style) = (self.layout.columns(), self.layout.style);
        let share = style.paint(Ink::Strong, &pad_left(&words::percent(pair.share), SHARE));
        let tokens = pad_left(&pair.tokens.to_string(), TOKENS);
        let longest = pad_left(&pair.longest().to_string(), TOKENS + 1);
        let indent = SHARE + 2 * TOKENS + 4;
        let [one, other] = words::names(comparison, pair);
        let names = fit(&format!("{one} – {other}"), columns.saturating_sub(indent));
        writeln!(self.out, "{share}{tokens}{longest}   {}", style.paint(Ink::Name, &names))?;
        let mut longest: Vec<&Passage> = pair.passages.iter().collect();
        longest.sort_by_key(|passage| std::cmp::Reverse(passage.tokens));
        let more = longest.len().saturating_sub(MOST_PASSAGES);
        for passage in longest.into_iter().take(MOST_PASSAGES) {
            let text = fit(&lines(comparison, pair, passage), columns.saturating_sub(indent));
            self.line(Ink::Faint, &format!("{}{text}", " ".repeat(indent)))?;
        }
        if more > 0 {
            let text = format!("and {}", count(more, "shorter passage", "shorter passages"));
            self.line(Ink::Faint, &format!("{}{text}", " ".repeat(indent)))?;
        }
        Ok(())
    }

    fn left_out(&mut self, findings: Findings<'_>) -> io::Result<()> {
        if findings.left_out.is_empty() {
            return Ok(());
        }
        let number = count(findings.left_out.len(), "submission was", "submissions were");
        writeln!(self.out)?;
        self.line(Ink::Warning, &format!("{number} not compared"))?;
        for one in findings.left_out.iter().take(MOST_LEFT_OUT) {
            let text = format!("{}: {}", one.name, one.reason.first_line());
            for line in wrap(&text, self.layout.columns().saturating_sub(2)) {
                self.line(Ink::Plain, &format!("  {line}"))?;
            }
        }
        let more = findings.left_out.len().saturating_sub(MOST_LEFT_OUT);
        if more > 0 {
            self.line(Ink::Faint, &format!("  … and {more} more"))?;
        }
        Ok(())
    }
}

/// Returns the lines of a passage in both submissions.
fn lines(comparison: &Comparison, pair: &Pair, passage: &Passage) -> String {
    let path = |member, place| {
        comparison.member(member).map(|it| words::lines(it.path(place), place)).unwrap_or_default()
    };
    format!("{} = {}", path(pair.one, &passage.one), path(pair.other, &passage.other))
}
