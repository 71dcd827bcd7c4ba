//! Difference of two results.

use std::io;

use softmark_untrusted::Untrusted;

use super::page::Page;
use crate::ledger::diff::{Diff, Entry, Vanished};
use crate::model::{Delta, Points};
use crate::report::terminal::Ink;
use crate::report::text::{count, fit, pad, pad_left, width};
use crate::report::{Layout, outcome_words};

/// Most columns of a name.
const NAME: usize = 28;

/// Prints the difference: a block for each submission that moved, then sums by check.
pub(in crate::ledger) fn write(
    diff: &Diff,
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page { layout, out };
    let (lost, gained) = (diff.lost(), diff.gains());
    let about = format!("{lost} lost, {gained} gained, {} unchanged", diff.unchanged);
    page.heading(&format!("{} → {}", diff.before, diff.after), &about)?;
    let names = diff.entries.iter().map(|entry| width(&entry.submission.to_string()));
    let name = names.max().unwrap_or(0).clamp(10, NAME);
    if diff.entries.is_empty() {
        let differs =
            if diff.vanished.is_empty() { "no result differs" } else { "no other result differs" };
        page.line(2, Ink::Plain, differs)?;
    } else {
        let (before, after) = (pad_left("before", 9), pad_left("after", 9));
        let head = format!("{}{before}{after}{}", pad("submission", name), pad_left("change", 9));
        page.line(2, Ink::Faint, &head)?;
    }
    for entry in &diff.entries {
        write_entry(entry, name, &mut page)?;
    }
    write_checks(diff, &mut page)?;
    only(&mut page, &diff.before, &diff.only_before)?;
    write_vanished(&diff.vanished, &mut page)?;
    only(&mut page, &diff.after, &diff.only_after)
}

fn write_entry(entry: &Entry, name: usize, page: &mut Page<'_>) -> io::Result<()> {
    let points = |points: Option<Points>| {
        pad_left(&points.map_or_else(|| "–".to_owned(), |it| it.to_string()), 9)
    };
    let delta = entry.delta().map_or_else(|| "–".to_owned(), |delta| delta.to_string());
    let ink = match entry.delta().map(Delta::hundredths) {
        _ if entry.is_loss() => Ink::Bad,
        Some(1..) => Ink::Good,
        Some(_) | None => Ink::Plain,
    };
    let shown = pad(&fit(&entry.submission.to_string(), name), name);
    let (before, after) = (points(entry.before), points(entry.after));
    page.line(2, ink, &format!("{shown}{before}{after}{}", pad_left(&delta, 9)))?;
    if entry.outcome_before != entry.outcome_after {
        let (before, after) =
            (outcome_words(entry.outcome_before), outcome_words(entry.outcome_after));
        page.text(6, Ink::Plain, &format!("{before} → {after}"))?;
    }
    page.text(6, Ink::Faint, &entry.change.words())?;
    page.checks(6, &entry.change.checks)
}

fn write_checks(diff: &Diff, page: &mut Page<'_>) -> io::Result<()> {
    if diff.checks.is_empty() {
        return Ok(());
    }
    writeln!(page.out)?;
    page.line(0, Ink::Strong, "By check")?;
    for (check, total) in &diff.checks {
        let sum = pad_left(&total.sum.to_string(), 9);
        let about = format!("{sum}  {} gained, {} lost  {check}", total.gained, total.lost);
        page.line(2, Ink::Plain, &about)?;
    }
    Ok(())
}

/// Prints the grades that are lost because their submissions are in the earlier results only.
fn write_vanished(vanished: &[Vanished], page: &mut Page<'_>) -> io::Result<()> {
    if vanished.is_empty() {
        return Ok(());
    }
    let each = vanished.iter().map(|it| format!("{} {}", it.submission, it.points));
    let count = count(vanished.len(), "grade", "grades");
    page.text(2, Ink::Bad, &format!("lost {count}: {}", each.collect::<Vec<_>>().join(", ")))
}

fn only(page: &mut Page<'_>, results: &str, names: &[Untrusted]) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    writeln!(page.out)?;
    let shown: Vec<String> = names.iter().map(ToString::to_string).collect();
    let count = count(names.len(), "submission", "submissions");
    page.text(0, Ink::Plain, &format!("only in {results}: {count}: {}", shown.join(", ")))
}
