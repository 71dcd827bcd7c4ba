//! Writes statistics as a self-contained HTML page with pictures.
//!
//! Invariant: the page has no scripts, loads nothing, and escapes every text.

use std::io;

use super::checks::CheckStatistics;
use super::class::Statistics;
use super::flags::{MIN_CLASS, words};
use super::picture;
use super::words::{correlation, counts, mistakes, percent};
use crate::report::html::{STYLE, Text, begin};

/// Style of the table of checks.
const TABLE_STYLE: &str = "\
.statistics { overflow-x: auto; }
.statistics th { color: var(--soft); font-weight: normal; font-size: .85em; }
.statistics td { vertical-align: top; }
.statistics tbody tr { border-top: 1px solid var(--rule); }
.statistics svg { margin-top: .25rem; }
";

/// Writes the page.
pub(super) fn write(all: &[Statistics], out: &mut dyn io::Write) -> io::Result<()> {
    let title = match all {
        [one] => format!("{}: statistics", one.assignment),
        _ => "Statistics".to_owned(),
    };
    begin(&title, &[STYLE, TABLE_STYLE, picture::STYLE].concat(), out)?;
    for statistics in all {
        assignment(statistics, out)?;
    }
    writeln!(
        out,
        "<p class=\"about\">Discrimination is the correlation of passing a check with the points of all other \
         checks: near 0 the check tells nothing about the rest of the work, below 0 better students fail it \
         more often. Lines in the bars are 95 % intervals. Submissions that were not started are left out. \
         A flag needs {MIN_CLASS} submissions.</p>"
    )?;
    writeln!(out, "<footer>Softmark {}</footer>\n</body>\n</html>", env!("CARGO_PKG_VERSION"))
}

fn assignment(statistics: &Statistics, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<header>\n<h1>{}</h1>", Text(&statistics.assignment))?;
    writeln!(out, "<p class=\"lead\">{}</p>", counts(&statistics.counts))?;
    let Some(points) = &statistics.points else { return writeln!(out, "</header>") };
    writeln!(out, "<dl class=\"figures\">")?;
    let deviation = points.deviation.map_or_else(|| "–".to_owned(), |it| format!("{it:.2}"));
    let figures = [
        ("mean", format!("{:.2}", points.mean)),
        ("deviation", deviation),
        ("median", format!("{:.2}", points.median())),
        ("out of", points.max_points.to_string()),
    ];
    for (label, figure) in figures {
        writeln!(out, "<div><dt>{label}</dt><dd>{figure}</dd></div>")?;
    }
    writeln!(out, "</dl>\n</header>")?;
    flags(statistics, out)?;
    writeln!(out, "<section class=\"card\">\n<h2>Points</h2>\n{}", picture::histogram(points))?;
    writeln!(out, "</section>\n<section class=\"card\">\n<h2>Tasks</h2>")?;
    let tasks: Vec<_> = statistics.tasks.iter().map(|(id, it)| (id.to_string(), it)).collect();
    writeln!(out, "{}</section>", picture::boxes(&tasks))?;
    writeln!(out, "<section class=\"card\">\n<h2>Pass rate and discrimination</h2>")?;
    writeln!(out, "{}</section>", picture::map(&statistics.checks))?;
    checks(statistics, out)
}

fn flags(statistics: &Statistics, out: &mut dyn io::Write) -> io::Result<()> {
    if statistics.checks.iter().all(|check| check.flags.is_empty()) {
        return Ok(());
    }
    writeln!(out, "<section class=\"card\">\n<h2>Look at these checks</h2>\n<ul>")?;
    for check in &statistics.checks {
        for flag in &check.flags {
            let words = words(*flag, check);
            writeln!(out, "<li><code>{}</code>: {}</li>", Text(&check.id), Text(words))?;
        }
    }
    writeln!(out, "</ul>\n</section>")
}

fn checks(statistics: &Statistics, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<section class=\"card statistics\">\n<h2>Checks</h2>\n<table>\n<thead><tr>")?;
    writeln!(out, "<th>check</th><th colspan=\"2\">pass %</th>")?;
    for head in ["discrimination", "points lost", "1st attempt", "2nd", "later", "never"] {
        writeln!(out, "<th class=\"number\">{head}</th>")?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for check in &statistics.checks {
        row(check, out)?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")
}

fn row(check: &CheckStatistics, out: &mut dyn io::Write) -> io::Result<()> {
    write!(out, "<tr><td><code>{}</code>", Text(&check.id))?;
    let mistakes = mistakes(check);
    if !mistakes.is_empty() {
        write!(out, "<div><small>{}</small></div>", Text(mistakes))?;
    }
    let class = if check.flags.is_empty() { "number" } else { "number some" };
    let attempts = &check.attempts;
    writeln!(
        out,
        "</td><td class=\"number\">{}</td><td>{}</td><td class=\"{class}\">{}</td>\
         <td class=\"number\">{:.2}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
        percent(check.pass_rate()),
        picture::rate(check),
        correlation(check.discrimination),
        check.points_lost(),
        attempts.within(1..2),
        attempts.within(2..3),
        attempts.within(3..),
        attempts.never
    )
}
