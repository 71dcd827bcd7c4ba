//! `grade similar`: reports pairs of submissions that agree.

use std::path::Path;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::SimilarPlan;
use crate::cli::printer::Printer;
use crate::report::Layout;
use crate::report::text::count;
use crate::similar::{self, ClassSource, Comparison, Findings};

/// Compares the submissions that the plan names, and prints the pairs that agree.
///
/// Exits with success whatever was found: no figure decides anything.
///
/// # Errors
///
/// Fails if there is no such submission or assignment, or if the output cannot be written.
pub(crate) fn similar(plan: &SimilarPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    plan.site.is_apart_from(&plan.submissions)?;
    plan.site.check()?;
    check_output(plan.out.as_deref())?;
    let source = ClassSource {
        class: &plan.submissions,
        earlier: &plan.with,
        names: &plan.names,
        assignment: plan.assignment.as_deref(),
    };
    let read = similar::read(plan.site.project(), &source)?;
    let classes = read.classes.into_iter();
    let comparisons: Vec<Comparison> =
        classes.map(|class| similar::compare(class, plan.threshold)).collect();
    let findings = Findings { comparisons: &comparisons, left_out: &read.left_out };
    print(plan, findings, printer)?;
    Ok(Exit::Success)
}

/// Checks that the output file can be written, before anything is read.
fn check_output(out: Option<&Path>) -> Result<(), Failure> {
    let Some(out) = out else { return Ok(()) };
    if out.is_dir() {
        return Err(Failure::usage(
            format!("{} is a folder", out.display()),
            "the report is one file; `--out` names it",
        ));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Failure::usage(
            format!("there is no folder {}", folder.display()),
            "make it, or name another file with `--out`",
        )),
        Some(_) | None => Ok(()),
    }
}

fn print(
    plan: &SimilarPlan,
    findings: Findings<'_>,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let Some(out) = &plan.out else {
        return printer.data(|layout, out| similar::write(findings, plan.format, layout, out));
    };
    let mut text = Vec::new();
    // A file has no colors and no width of its own.
    similar::write(findings, plan.format, Layout::default(), &mut text)
        .and_then(|()| std::fs::write(out, text))
        .map_err(|error| Failure::unwritten(out, &error))?;
    let pairs = findings.comparisons.iter().map(|comparison| comparison.pairs.len()).sum();
    let pairs = count(pairs, "pair", "pairs");
    printer.plain(format_args!("{pairs} reported in {}\n", out.display()));
    Ok(())
}
