//! `grade similar`: reports pairs of submissions that agree.

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output_file;
use crate::cli::plan::SimilarPlan;
use crate::cli::printer::Printer;
use crate::cli::teams::find_students;
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
    output_file::check(plan.out.as_deref(), "the report")?;
    let source = ClassSource {
        class: &plan.submissions,
        earlier: &plan.with,
        names: &plan.names,
        assignment: plan.assignment.as_deref(),
    };
    let mut read = similar::read(plan.site.project(), &source)?;
    find_students(&plan.site, &mut read.classes)?;
    let classes = read.classes.into_iter();
    let comparisons: Vec<Comparison> =
        classes.map(|class| similar::compare(class, plan.threshold)).collect();
    let findings = Findings { comparisons: &comparisons, left_out: &read.left_out };
    let out = plan.out.as_deref();
    output_file::write(out, printer, |layout, out| {
        similar::write(findings, plan.format, layout, out)
    })?;
    if let Some(out) = out {
        let pairs = comparisons.iter().map(|comparison| comparison.pairs.len()).sum();
        let pairs = count(pairs, "pair", "pairs");
        printer.plain(format_args!("{pairs} reported in {}\n", out.display()));
    }
    Ok(Exit::Success)
}
