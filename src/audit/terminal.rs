//! Prints an audit: claims, problems, what to add next, then the results of each task.

use std::io;

use softmark_untrusted::escape_line;

use crate::audit::cell::Cell;
use crate::audit::claims;
use crate::audit::findings::Findings;
use crate::audit::matrix::{Audit, Mutant, short_name};
use crate::audit::problem::Problem;
use crate::audit::suggestions::suggestions;
use crate::report::Layout;
use crate::report::terminal::Ink;
use crate::report::text::{count, fit, pad, pad_left, width, wrap};

/// Columns of a number of mutants, and of a factor.
const NUMBER: usize = 5;
const FACTOR: usize = 6;

/// A page, line by line.
struct Page<'a> {
    layout: Layout,
    out: &'a mut dyn io::Write,
}

/// Writes the page.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(
    audit: &Audit,
    findings: &Findings,
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page { layout, out };
    page.heading(&audit.assignment, &claims::size(audit))?;
    for claim in claims::claims(audit, findings) {
        let (mark, ink) = if claim.holds { ("✓", Ink::Good) } else { ("✗", Ink::Bad) };
        page.item((mark, ink), &claim.text, Ink::Plain)?;
    }
    for text in claims::remarks(audit, findings).into_iter().chain(claims::left_out(audit)) {
        page.item(("·", Ink::Faint), &text, Ink::Faint)?;
    }
    if !findings.problems.is_empty() {
        page.title("Problems")?;
    }
    for (at, problem) in findings.problems.iter().enumerate() {
        page.item(("✗", Ink::Bad), &problem.to_string(), Ink::Plain)?;
        // Print the advice once for consecutive problems of the same kind.
        let next = findings.problems.get(at + 1).map(Problem::kind);
        if next != Some(problem.kind()) {
            page.item((" ", Ink::Plain), problem.advice(), Ink::Faint)?;
        }
    }
    let next = suggestions(audit);
    if !next.is_empty() {
        page.title("To add next")?;
    }
    for text in &next {
        page.item(("+", Ink::Plain), text, Ink::Plain)?;
    }
    for task in audit.tasks() {
        let mutants = audit.mutants_of(task);
        if !mutants.is_empty() || !audit.right.is_empty() {
            page.task(audit, findings, task, &mutants)?;
        }
    }
    page.right(audit)
}

impl Page<'_> {
    fn columns(&self) -> usize {
        self.layout.columns()
    }

    fn paint(&self, ink: Ink, text: &str) -> String {
        self.layout.style.paint(ink, text)
    }

    fn heading(&mut self, name: &str, about: &str) -> io::Result<()> {
        let name = fit(&escape_line(name), self.columns().saturating_sub(width(about) + 1));
        let gap = self.columns().saturating_sub(width(&name) + width(about));
        writeln!(self.out, "{}{}{about}", self.paint(Ink::Strong, &name), " ".repeat(gap))?;
        writeln!(self.out, "{}", self.paint(Ink::Faint, &"─".repeat(self.columns())))
    }

    fn title(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "\n{}", self.paint(Ink::Strong, text))
    }

    /// A mark, and text that hangs beside it.
    fn item(&mut self, (mark, mark_ink): (&str, Ink), text: &str, ink: Ink) -> io::Result<()> {
        let mark = self.paint(mark_ink, mark);
        for (at, part) in wrap(&escape_line(text), self.columns() - 4).iter().enumerate() {
            let edge = if at == 0 { mark.as_str() } else { " " };
            writeln!(self.out, "  {edge} {}", self.paint(ink, part))?;
        }
        Ok(())
    }

    fn task(
        &mut self,
        audit: &Audit,
        findings: &Findings,
        task: &str,
        mutants: &[&Mutant],
    ) -> io::Result<()> {
        let checks: Vec<&str> = audit.checks_of(task).collect();
        let size = count(checks.len(), "check", "checks");
        self.title(&format!("{task}: {size}, {}", count(mutants.len(), "mutant", "mutants")))?;
        let names = checks.iter().map(|check| width(short_name(check)));
        let name = names.max().unwrap_or(0).clamp(5, 24);
        // "  name  ●··●  kills  factor  who, seed 1"
        let rest =
            self.columns().checked_sub(2 + name + 2 + mutants.len() + 2 + NUMBER + 2 + FACTOR);
        if let Some(rest) = rest {
            self.head(mutants.len(), name)?;
            for check in &checks {
                self.row(audit, (check, name), mutants, rest)?;
            }
        } else {
            for check in &checks {
                self.list(audit, (check, name))?;
            }
        }
        self.legend(audit, mutants)?;
        self.remarks(findings, &checks, mutants)
    }

    /// The numbers of the mutants, read downwards.
    fn head(&mut self, mutants: usize, name: usize) -> io::Result<()> {
        let digits = mutants.to_string().len();
        for row in 0..digits {
            let digit = |number: usize| {
                let text = pad_left(&number.to_string(), digits);
                text.chars().nth(row).unwrap_or(' ')
            };
            let numbers: String = (1..=mutants).map(digit).collect();
            let (kills, margin) = if row + 1 == digits { ("kills", "margin") } else { ("", "") };
            let numbers = cells(&numbers, kills, margin);
            let text = format!("  {}  {numbers}", " ".repeat(name));
            writeln!(self.out, "{}", self.paint(Ink::Faint, text.trim_end()))?;
        }
        Ok(())
    }

    fn row(
        &mut self,
        audit: &Audit,
        (check, name): (&str, usize),
        mutants: &[&Mutant],
        rest: usize,
    ) -> io::Result<()> {
        let marks = mutants.iter().map(|mutant| Cell::of(check, mutant));
        let marks: String = marks.map(|cell| self.paint(ink(cell), cell.mark())).collect();
        let kills = audit.killed_by(check).count().to_string();
        let (factor, who) = claims::margin_in(audit, check);
        let who =
            if rest > 10 { fit(&format!("  {}", escape_line(&who)), rest) } else { String::new() };
        let name = pad(&fit(short_name(check), name), name);
        let row = format!("  {name}  {}", cells(&marks, &kills, &factor));
        let row = format!("{row}{}", self.paint(Ink::Faint, &who));
        writeln!(self.out, "{}", row.trim_end())
    }

    /// Prints the legend of the numbers over the matrix: the mutants, with the cost of each.
    fn legend(&mut self, audit: &Audit, mutants: &[&Mutant]) -> io::Result<()> {
        let digits = mutants.len().to_string().len();
        let widest = mutants.iter().map(|mutant| width(&mutant.name)).max().unwrap_or(0);
        let standing: Vec<String> =
            mutants.iter().map(|mutant| claims::standing(audit, mutant)).collect();
        let beside = standing.iter().map(|text| width(text)).max().unwrap_or(0);
        let cell = (digits + 1 + widest + 2 + beside + 2).min(self.columns() - 2);
        let across = (self.columns() / cell).max(1);
        let down = mutants.len().div_ceil(across);
        if down > 0 {
            writeln!(self.out)?;
            let text = "what each mutant costs of its task's points; its mistake is named ✓, falsely ✗, \
                        not though there is a page ?, not – ; ~n: a verdict changed on n seeds";
            for part in wrap(text, self.columns() - 2) {
                writeln!(self.out, "  {}", self.paint(Ink::Faint, &part))?;
            }
        }
        for row in 0..down {
            let places = (row..mutants.len()).step_by(down);
            let cells = places.filter_map(|place| {
                let number = pad_left(&(place + 1).to_string(), digits);
                let text = escape_line(&format!("{number} {}", mutants.get(place)?.name));
                let room = cell.saturating_sub(4 + beside);
                let text = pad(&fit(&text, room), room);
                Some(pad(&format!("{text}  {}", standing.get(place)?), cell))
            });
            let text = cells.collect::<String>();
            writeln!(self.out, "  {}", self.paint(Ink::Faint, text.trim_end()))?;
        }
        Ok(())
    }

    /// A check whose row would be too long.
    fn list(&mut self, audit: &Audit, (check, name): (&str, usize)) -> io::Result<()> {
        let killed: Vec<&str> = audit.killed_by(check).map(|it| it.name.as_str()).collect();
        let (factor, who) = claims::margin_in(audit, check);
        let label = pad(&fit(short_name(check), name), name);
        let room = self.columns() - name - 4;
        let kills = format!("kills {}: {}", killed.len(), killed.join(", "));
        let margin = if who.is_empty() { None } else { Some(format!("margin {factor}: {who}")) };
        let mut label = label.as_str();
        let empty = " ".repeat(name);
        for text in wrap(&escape_line(&kills), room) {
            writeln!(self.out, "  {label}  {text}")?;
            label = &empty;
        }
        for text in margin.iter().flat_map(|margin| wrap(&escape_line(margin), room)) {
            writeln!(self.out, "  {label}  {}", self.paint(Ink::Faint, &text))?;
        }
        Ok(())
    }

    /// Writes the redundant checks, and the checks that are the only ones to catch a mutant.
    fn remarks(
        &mut self,
        findings: &Findings,
        checks: &[&str],
        mutants: &[&Mutant],
    ) -> io::Result<()> {
        let of_task = |check: &str| checks.contains(&check);
        let redundant = findings.redundant.iter().filter(|it| of_task(&it.check));
        let redundant = redundant.map(|it| {
            let is_near = of_task(&it.beside);
            let beside = if is_near { short_name(&it.beside) } else { it.beside.as_str() };
            format!("{} (beside {beside})", short_name(&it.check))
        });
        let redundant: Vec<String> = redundant.collect();
        let sole = checks.iter().filter_map(|check| needed_for(findings, check, mutants));
        let sole: Vec<String> = sole.collect();
        if !redundant.is_empty() || !sole.is_empty() {
            writeln!(self.out)?;
        }
        if !redundant.is_empty() {
            let text = format!("redundant: {}", redundant.join(", "));
            self.item(("·", Ink::Faint), &text, Ink::Faint)?;
        }
        if !sole.is_empty() {
            let text = format!("needed: {}", sole.join("; "));
            self.item(("·", Ink::Faint), &text, Ink::Faint)?;
        }
        Ok(())
    }

    /// Writes the correct programs, each with its smallest margin.
    fn right(&mut self, audit: &Audit) -> io::Result<()> {
        if audit.right.is_empty() {
            return Ok(());
        }
        self.title("Correct programs, and the smallest margin of their own")?;
        let names = audit.right.iter().map(|right| width(&right.name));
        let name = names.max().unwrap_or(0).min(32);
        for right in &audit.right {
            let (mark, ink) =
                if right.fails.is_empty() { ("✓", Ink::Good) } else { ("✗", Ink::Bad) };
            let (factor, place) = claims::margin_of(audit, right);
            let label = pad(&fit(&escape_line(&right.name), name), name);
            let factor = pad_left(&factor, FACTOR);
            let place = fit(&escape_line(&place), self.columns().saturating_sub(name + FACTOR + 8));
            let row = format!("  {} {label}  {factor}  ", self.paint(ink, mark));
            let row = format!("{row}{}", self.paint(Ink::Faint, &place));
            writeln!(self.out, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

/// The cells of a row, and the numbers beside them; where there are no mutants, the margin alone.
fn cells(marks: &str, kills: &str, margin: &str) -> String {
    let (kills, margin) = (pad_left(kills, NUMBER), pad_left(margin, FACTOR));
    if marks.is_empty() { margin } else { format!("{marks}  {kills}  {margin}") }
}

fn ink(cell: Cell) -> Ink {
    match cell {
        Cell::Fails => Ink::Plain,
        Cell::Surprises | Cell::Misses => Ink::Bad,
        Cell::Passes => Ink::Faint,
    }
}

/// Returns the mutants that a check alone catches, with its name; `None` if there are none.
fn needed_for(findings: &Findings, check: &str, mutants: &[&Mutant]) -> Option<String> {
    let is_sole =
        |name: &str| findings.sole.iter().any(|it| it.check == check && it.mutant == name);
    let alone = mutants.iter().map(|mutant| mutant.name.as_str()).filter(|name| is_sole(name));
    let alone: Vec<&str> = alone.collect();
    (!alone.is_empty()).then(|| format!("{} for {}", short_name(check), alone.join(", ")))
}
