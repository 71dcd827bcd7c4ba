//! Writes an audit as a self-contained HTML page: claims, problems, and a matrix for each task.
//!
//! Invariant: the page has no scripts, loads nothing, and escapes every text.

use std::io;

use crate::audit::cell::Cell;
use crate::audit::claims;
use crate::audit::findings::Findings;
use crate::audit::matrix::{Audit, Mutant, Naming, short_name};
use crate::audit::scope::Scope;
use crate::audit::suggestions::suggestions;
use crate::report::html::{STYLE, Text, begin};
use crate::report::text::count;

/// Writes the page.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(audit: &Audit, findings: &Findings, out: &mut dyn io::Write) -> io::Result<()> {
    let name = Text(&audit.assignment);
    let style = [STYLE, include_str!("audit.css")].concat();
    begin(&format!("{}: audit", audit.assignment), &style, out)?;
    writeln!(out, "<header>\n<h1>{name}</h1>")?;
    writeln!(out, "<p class=\"lead\">{}</p>\n</header>", Text(&claims::size(audit)))?;
    claimed(audit, findings, out)?;
    problems(findings, out)?;
    for task in audit.tasks() {
        let mutants = audit.mutants_of(task);
        if !mutants.is_empty() || !audit.right.is_empty() {
            matrix(audit, findings, (task, &mutants), out)?;
        }
    }
    right(audit, out)?;
    writeln!(
        out,
        "<footer>Softmark {}, audit of {name}</footer>\n</body>\n</html>",
        env!("CARGO_PKG_VERSION")
    )
}

fn claimed(audit: &Audit, findings: &Findings, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<section class=\"card\">\n<ul class=\"claims\">")?;
    for claim in claims::claims(audit, findings) {
        let (class, mark) = if claim.holds { ("all", "✓") } else { ("none", "✗") };
        let text = Text(&claim.text);
        writeln!(out, "<li><b class=\"{class}\">{mark}</b> {text}</li>")?;
    }
    for text in claims::remarks(audit, findings).into_iter().chain(claims::left_out(audit)) {
        writeln!(out, "<li class=\"about\"><b>·</b> {}</li>", Text(&text))?;
    }
    for text in suggestions(audit) {
        writeln!(out, "<li class=\"about\"><b>+</b> add {}</li>", Text(&text))?;
    }
    writeln!(out, "</ul>")?;
    writeln!(
        out,
        "<p class=\"axis legend\">● fails &nbsp; <b class=\"none\">!</b> fails and should not &nbsp; \
         <b class=\"none\">○</b> should fall and does not &nbsp; <b class=\"some\">name</b> one check \
         alone catches it &nbsp; margin: how many times as large the largest error of a correct program \
         could be &nbsp; costs: what a mutant costs of its task's points &nbsp; named: ✓ correctly, \
         <b class=\"none\">✗</b> falsely, ? not, though there is a page about its mistake, – not, and there \
         is none &nbsp; seeds: on how many of them a verdict changed</p>\n</section>"
    )
}

fn problems(findings: &Findings, out: &mut dyn io::Write) -> io::Result<()> {
    if findings.problems.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"card\">\n<h2>Problems</h2>\n<ul class=\"claims\">")?;
    for problem in &findings.problems {
        let (text, advice) = (problem.to_string(), problem.advice());
        let (text, advice) = (Text(&text), Text(advice));
        writeln!(out, "<li><b class=\"none\">✗</b> {text} <small>{advice}</small></li>")?;
    }
    writeln!(out, "</ul>\n</section>")
}

fn matrix(
    audit: &Audit,
    findings: &Findings,
    (task, mutants): (&str, &[&Mutant]),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let checks: Vec<&str> = audit.checks_of(task).collect();
    let size = count(checks.len(), "check", "checks");
    let size = format!("{size}, {}", count(mutants.len(), "mutant", "mutants"));
    writeln!(out, "<section class=\"card\">\n<h2>{} <small>{size}</small></h2>", Text(task))?;
    writeln!(out, "<div class=\"matrix\">\n<table>\n<thead><tr><th class=\"corner\">check</th>")?;
    for mutant in mutants {
        let mut killers = audit.killers(mutant);
        let (first, second) = (killers.next(), killers.next());
        let title = match (first, second) {
            (None, _) => "survives".to_owned(),
            (Some(check), None) => format!("only {check} catches it"),
            (Some(_), Some(_)) => format!("fails {} checks", 2 + killers.count()),
        };
        let class = match (first, second) {
            (None, _) => "none",
            (Some(_), None) => "some",
            (Some(_), Some(_)) => "soft",
        };
        let (name, title) = (Text(&mutant.name), Text(&title));
        writeln!(out, "<th title=\"{title}\"><span class=\"{class}\">{name}</span></th>")?;
    }
    writeln!(
        out,
        "<th class=\"number end\">kills</th><th class=\"number end\">margin</th>\
         <th class=\"end\">nearest</th>{}</tr></thead>\n<tbody>",
        // Elsewhere it is not known what is.
        if audit.scope == Scope::Whole { "<th class=\"end\">redundant beside</th>" } else { "" }
    )?;
    for check in checks {
        row(audit, findings, (check, mutants), out)?;
    }
    writeln!(out, "</tbody>")?;
    standing(audit, mutants, out)?;
    writeln!(out, "</table>\n</div>\n</section>")
}

/// Writes each mutant's cost, its naming, and the number of seeds on which a verdict changed.
fn standing(audit: &Audit, mutants: &[&Mutant], out: &mut dyn io::Write) -> io::Result<()> {
    if mutants.is_empty() {
        return Ok(());
    }
    let cell = |text: String, is_odd: bool| {
        let class = if is_odd { " class=\"none\"" } else { "" };
        format!("<td{class}>{text}</td>")
    };
    let costs = mutants.iter().map(|mutant| match audit.cost(mutant) {
        Some(cost) => cell(format!("{} %", cost.percent()), cost.is_more_than_half()),
        None => cell("–".to_owned(), false),
    });
    let named = mutants.iter().map(|mutant| {
        let naming = mutant.naming();
        cell(claims::mark(naming).to_owned(), naming == Naming::False)
    });
    let seeds = mutants.iter().map(|mutant| {
        let changed = mutant.changed_seeds();
        cell(changed.to_string(), changed > 0)
    });
    writeln!(out, "<tfoot>")?;
    writeln!(out, "<tr><th>costs</th>{}</tr>", costs.collect::<String>())?;
    writeln!(out, "<tr><th>named</th>{}</tr>", named.collect::<String>())?;
    writeln!(out, "<tr><th>seeds</th>{}</tr>", seeds.collect::<String>())?;
    writeln!(out, "</tfoot>")
}

fn row(
    audit: &Audit,
    findings: &Findings,
    (check, mutants): (&str, &[&Mutant]),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write!(out, "<tr><th>{}</th>", Text(short_name(check)))?;
    for mutant in mutants {
        let cell = Cell::of(check, mutant);
        let class = match cell {
            Cell::Fails => "fails",
            Cell::Surprises | Cell::Misses => "none",
            Cell::Passes => "passes",
        };
        write!(out, "<td class=\"{class}\">{}</td>", cell.mark())?;
    }
    let kills = audit.killed_by(check).count();
    let class = if kills == 0 { " none" } else { "" };
    write!(out, "<td class=\"number{class}\">{kills}</td>")?;
    let (factor, place) = claims::margin_in(audit, check);
    write!(out, "<td class=\"number\">{factor}</td><td class=\"about\">{}</td>", Text(&place))?;
    if audit.scope == Scope::Whole {
        let beside = findings.redundant.iter().find(|it| it.check == check);
        let beside = beside.map_or("", |it| it.beside.as_str());
        write!(out, "<td class=\"about\">{}</td>", Text(beside))?;
    }
    writeln!(out, "</tr>")
}

fn right(audit: &Audit, out: &mut dyn io::Write) -> io::Result<()> {
    if audit.right.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<section class=\"card ways\">\n\
         <h2>Correct programs, and the smallest margin of their own</h2>\n<table>\n<tbody>"
    )?;
    for right in &audit.right {
        let (class, mark) = if right.fails.is_empty() { ("all", "✓") } else { ("none", "✗") };
        let (factor, place) = claims::margin_of(audit, right);
        writeln!(
            out,
            "<tr><td><b class=\"{class}\">{mark}</b> {}</td><td class=\"number\">{factor}</td>\
             <td class=\"about\">{}</td></tr>",
            Text(&right.name),
            Text(&place)
        )?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")
}
