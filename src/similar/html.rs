//! Writes comparisons as a self-contained HTML page: a table of pairs, then the code of each pair side by side.
//!
//! Invariant: the page has no scripts, loads nothing, and escapes every text.

use std::io;

use crate::report::html::{STYLE, Text, begin};
use crate::report::text::count;
use crate::similar::comparison::{Comparison, Member, Pair};
use crate::similar::findings::Findings;
use crate::similar::listing::{Passages, Side, listing};
use crate::similar::words;

/// Most pairs of an assignment whose code is shown, so that the size of the page has a limit.
const MOST_SHOWN: usize = 60;

/// Most pairs of an assignment that the table lists.
const MOST_LISTED: usize = 1_000;

/// Writes the page.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub(super) fn write(findings: Findings<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let style = [STYLE, include_str!("similar.css")].concat();
    begin("Similar submissions", &style, out)?;
    writeln!(out, "<header>\n<h1>Similar submissions</h1>\n</header>")?;
    writeln!(out, "<section class=\"card meaning\">\n<h2>What the figures mean</h2>")?;
    writeln!(out, "<p>{}</p>\n<p>{}</p>", Text(words::MEANING), Text(words::NO_VERDICT))?;
    writeln!(
        out,
        "<p class=\"about\">Passages have the same color and number on both sides; a number leads to the other \
         side.</p>\n</section>"
    )?;
    for (place, comparison) in findings.comparisons.iter().enumerate() {
        table(place, comparison, out)?;
    }
    left_out(findings, out)?;
    writeln!(out, "<main>")?;
    for (place, comparison) in findings.comparisons.iter().enumerate() {
        for (at, pair) in comparison.pairs.iter().take(MOST_SHOWN).enumerate() {
            article(&id(place, at), comparison, pair, out)?;
        }
    }
    writeln!(out, "</main>")?;
    writeln!(out, "<footer>Softmark {}</footer>\n</body>\n</html>", env!("CARGO_PKG_VERSION"))
}

/// Returns the anchor of a pair.
fn id(comparison: usize, pair: usize) -> String {
    format!("c{comparison}p{pair}")
}

fn table(place: usize, comparison: &Comparison, out: &mut dyn io::Write) -> io::Result<()> {
    let size = words::size(comparison);
    writeln!(out, "<section class=\"card\">")?;
    writeln!(out, "<h2>{} <small>{size}</small></h2>", Text(&comparison.assignment))?;
    writeln!(out, "<p class=\"about\">{}</p>", Text(words::reported(comparison)))?;
    if !comparison.pairs.is_empty() {
        writeln!(
            out,
            "<table class=\"pairs\">\n<thead><tr><th class=\"number\">share</th><th class=\"number\">tokens</th>\
             <th class=\"number\">longest</th><th>pair</th></tr></thead>\n<tbody>"
        )?;
        for (at, pair) in comparison.pairs.iter().take(MOST_LISTED).enumerate() {
            let [one, other] = words::names(comparison, pair);
            let names = format!("{} – {}", Text(one), Text(other));
            let names = if at < MOST_SHOWN {
                format!("<a href=\"#{}\">{names}</a>", id(place, at))
            } else {
                names
            };
            writeln!(
                out,
                "<tr><td class=\"number\"><strong>{}</strong></td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td>{names}</td></tr>",
                words::percent(pair.share),
                pair.tokens,
                pair.longest()
            )?;
        }
        writeln!(out, "</tbody>\n</table>")?;
    }
    let hidden = comparison.pairs.len().saturating_sub(MOST_SHOWN);
    if hidden > 0 {
        let pairs = count(hidden, "pair is", "pairs are");
        writeln!(
            out,
            "<p class=\"about\">the code of {pairs} not on this page; --format json has all pairs</p>"
        )?;
    }
    writeln!(out, "</section>")
}

fn left_out(findings: Findings<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    if findings.left_out.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"card\">\n<h2>Not compared</h2>\n<ul>")?;
    for one in findings.left_out {
        writeln!(out, "<li>{}: {}</li>", Text(&one.name), Text(one.reason.first_line()))?;
    }
    writeln!(out, "</ul>\n</section>")
}

fn article(
    id: &str,
    comparison: &Comparison,
    pair: &Pair,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let (Some(one), Some(other)) = (comparison.member(pair.one), comparison.member(pair.other))
    else {
        return Ok(());
    };
    writeln!(out, "<article id=\"{id}\">\n<div class=\"title\">")?;
    writeln!(out, "<h2>{} – {}</h2>", Text(&one.name), Text(&other.name))?;
    writeln!(out, "<p class=\"points\">{}</p>\n</div>", words::percent(pair.share))?;
    writeln!(
        out,
        "<p class=\"about\">{} of {} fingerprints of the smaller one; {} in {}, the longest of {}</p>",
        pair.matching,
        one.own.min(other.own),
        count(pair.tokens, "token", "tokens"),
        count(pair.passages.len(), "passage", "passages"),
        pair.longest()
    )?;
    writeln!(out, "<div class=\"sides\">")?;
    for side in [Side::One, Side::Other] {
        let member = if side == Side::One { one } else { other };
        column(member, Passages { id, side, all: &pair.passages }, out)?;
    }
    writeln!(out, "</div>\n</article>")
}

fn column(member: &Member, passages: Passages<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<div>\n<h3>{}</h3>", Text(&member.name))?;
    for (file, (path, text)) in member.files.iter().enumerate() {
        if passages.are_in(file) {
            writeln!(out, "<h4><code>src/{}</code></h4>", Text(path))?;
            listing(passages, file, text, out)?;
        }
    }
    writeln!(out, "</div>")
}
