//! Prints statistics for a terminal.

use std::io;

use super::class::Statistics;
use super::figures::Distribution;
use super::flags::{MIN_CLASS, words};
use super::words::{correlation, counts, interval, mistakes, percent};
use crate::report::Layout;
use crate::report::terminal::Ink;
use crate::report::text::{count, fit, pad, pad_left, width, wrap};

/// Most columns of the id of a task or check.
const NAME: usize = 38;

struct Page<'a> {
    layout: Layout,
    out: &'a mut dyn io::Write,
}

/// Prints the statistics of assignments.
pub(super) fn write(all: &[Statistics], layout: Layout, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = Page { layout, out };
    for (place, statistics) in all.iter().enumerate() {
        if place > 0 {
            page.line(Ink::Plain, "")?;
        }
        page.assignment(statistics)?;
    }
    Ok(())
}

impl Page<'_> {
    fn line(&mut self, ink: Ink, text: &str) -> io::Result<()> {
        let text = fit(text.trim_end(), self.layout.columns());
        writeln!(self.out, "{}", self.layout.style.paint(ink, &text))
    }

    fn assignment(&mut self, statistics: &Statistics) -> io::Result<()> {
        let about = counts(&statistics.counts);
        let columns = self.layout.columns();
        let name =
            fit(&statistics.assignment.to_string(), columns.saturating_sub(width(&about) + 1));
        let gap = " ".repeat(columns.saturating_sub(width(&name) + width(&about)));
        self.line(Ink::Strong, &format!("{name}{gap}{about}"))?;
        self.line(Ink::Faint, &"─".repeat(columns))?;
        self.tasks(statistics)?;
        self.checks(statistics)?;
        self.flags(statistics)
    }

    fn tasks(&mut self, statistics: &Statistics) -> io::Result<()> {
        let head = ["mean", "sd", "min", "q1", "median", "q3", "max", "of"];
        self.line(Ink::Faint, &task_row("points", &head.map(str::to_owned)))?;
        for (id, points) in &statistics.tasks {
            self.line(Ink::Plain, &task_row(&id.to_string(), &figures(points)))?;
        }
        match &statistics.points {
            Some(points) => self.line(Ink::Strong, &task_row("all", &figures(points))),
            None => self.line(Ink::Plain, "  no submission counts"),
        }
    }

    fn checks(&mut self, statistics: &Statistics) -> io::Result<()> {
        if statistics.checks.is_empty() {
            return Ok(());
        }
        self.line(Ink::Plain, "")?;
        let head = ["pass %", "95 %", "disc.", "lost", "1st", "2nd", "later", "never"];
        self.line(Ink::Faint, &check_row("check", &head.map(str::to_owned)))?;
        for check in &statistics.checks {
            let attempts = &check.attempts;
            let cells = [
                percent(check.pass_rate()),
                interval(check),
                correlation(check.discrimination),
                format!("{:.2}", check.points_lost()),
                attempts.within(1..2).to_string(),
                attempts.within(2..3).to_string(),
                attempts.within(3..).to_string(),
                attempts.never.to_string(),
            ];
            let ink = if check.flags.is_empty() { Ink::Plain } else { Ink::Warning };
            self.line(ink, &check_row(&check.id.to_string(), &cells))?;
            let mistakes = mistakes(check);
            if !mistakes.is_empty() {
                self.line(Ink::Faint, &format!("      {mistakes}"))?;
            }
        }
        Ok(())
    }

    fn flags(&mut self, statistics: &Statistics) -> io::Result<()> {
        self.line(Ink::Plain, "")?;
        let graded = statistics.counts.graded;
        if graded < MIN_CLASS {
            let have = count(graded, "submission counts", "submissions count");
            let text = format!("no check is flagged: {have}, and a flag needs {MIN_CLASS}");
            return self.line(Ink::Faint, &text);
        }
        if statistics.checks.iter().all(|check| check.flags.is_empty()) {
            return self.line(Ink::Faint, "no check is flagged");
        }
        for check in &statistics.checks {
            for flag in &check.flags {
                self.flag(&format!("{}: {}", check.id, words(*flag, check)))?;
            }
        }
        Ok(())
    }

    fn flag(&mut self, text: &str) -> io::Result<()> {
        for (place, part) in wrap(text, self.layout.columns() - 4).iter().enumerate() {
            let lead = if place == 0 { "! " } else { "  " };
            self.line(Ink::Warning, &format!("  {lead}{part}"))?;
        }
        Ok(())
    }
}

fn figures(points: &Distribution) -> [String; 8] {
    let two = |value: f64| format!("{value:.2}");
    let [min, q1, median, q3, max] = points.quartiles.map(two);
    let deviation = points.deviation.map_or_else(|| "–".to_owned(), two);
    [two(points.mean), deviation, min, q1, median, q3, max, points.max_points.to_string()]
}

fn task_row(name: &str, cells: &[String; 8]) -> String {
    let cells: String = cells.iter().map(|cell| pad_left(cell, 7)).collect();
    format!("  {}{cells}", pad(&fit(name, NAME), NAME))
}

fn check_row(name: &str, cells: &[String; 8]) -> String {
    let widths = [7, 8, 7, 9, 6, 6, 7, 7];
    let cells = cells.iter().zip(widths).map(|(cell, columns)| pad_left(cell, columns));
    format!("  {}{}", pad(&fit(name, NAME), NAME), cells.collect::<String>())
}
