//! `grade autograde`: grades the submission in Gradescope's container.
//!
//! `results.json` is written once, when it is complete. Before that it is the file of `run_autograder` that has no score, so
//! if this process ends early, Gradescope reports a failed autograder and no zero.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use crate::cli::args::DEFAULT_SEED;
use crate::cli::commands::run::{scratch, warn_of};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, LEAST, Wanted};
use crate::cli::libraries;
use crate::cli::plan::AutogradePlan;
use crate::cli::printer::Printer;
use crate::cli::secret::secret;
use crate::intake;
use crate::model::{Grader, Points, RecordOutcome, Run};
use crate::package::Metadata;
use crate::pipeline::{self, Assigned, Entry, Forced, GradingRun, Options, Survey, Treatment};
use crate::report::{self, Audience, Format, Layout};
use crate::store::replace;

/// Files and folders of the platform.
const METADATA: &str = "submission_metadata.json";
const RESULTS: &str = "results";
const RESULT: &str = "results.json";
const SUBMISSION: &str = "submission";

/// Name of a submission if the platform does not say whose it is.
const NAMELESS: &str = "submission";

/// Grades the submission in the plan's folder, and writes the result.
///
/// # Errors
///
/// Fails if it could not be graded; then no result is written.
pub(crate) fn autograde(
    plan: &AutogradePlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    plan.site.check()?;
    let assigned = pipeline::assigned(plan.site.project(), &plan.assignment)?;
    let metadata = metadata(&plan.folder, &assigned, printer);
    let name = metadata.name.as_deref().unwrap_or(NAMELESS);
    let run = grade(plan, env, (assigned, name), printer)?;
    let mut result = Vec::new();
    let view = Audience::Staff.view(&run);
    let format = (Format::Gradescope, Layout::default());
    report::write(&view, plan.site.catalog, format, &mut result)
        .and_then(|()| fs::create_dir_all(plan.folder.join(RESULTS)))
        .and_then(|()| replace(&plan.folder.join(RESULTS).join(RESULT), &result))
        .map_err(|error| Failure::unwritten(&plan.folder.join(RESULTS).join(RESULT), &error))?;
    Ok(tell(&run, printer))
}

/// Grades one submission.
fn grade(
    plan: &AutogradePlan,
    env: &Env,
    (assigned, name): (Assigned, &str),
    printer: &mut Printer<'_>,
) -> Result<Run, Failure> {
    let site = &plan.site;
    let candidate = intake::within(&plan.folder.join(SUBMISSION), name);
    let treatment = Treatment::Assigned(Arc::new(assigned));
    let given = Some(plan.assignment.clone());
    let earlier = Vec::new();
    let survey = Survey { entries: vec![Entry { candidate, treatment, given, earlier }] };
    let program = site.program()?;
    let level = isolation::choose(Wanted::AtLeast(LEAST), &program)?;
    warn_of(level, printer);
    let tools = site.tools(level)?;
    let pack = libraries::prepare(site, &tools, env, printer.style)?;
    let device = "cpu";
    let grader = Grader {
        version: env!("CARGO_PKG_VERSION").into(),
        seed: Some(DEFAULT_SEED),
        device: device.into(),
        sandbox: level.as_str().into(),
    };
    let options = Options {
        program,
        scratch: scratch(&std::env::temp_dir())?,
        seed: DEFAULT_SEED,
        secret: secret(env, &site.home)?,
        device: device.to_owned(),
        only: None,
        fresh: true,
        forced: Forced::new(),
        brief: false,
    };
    let grading = GradingRun::new(&survey, (&tools.sandbox, &pack), &options, None)?;
    let records = grading.grade_all(&survey, NonZeroUsize::MIN, &mut |_| ())?;
    Ok(Run { grader, records })
}

/// Reads the platform's metadata of the submission. If it cannot be read, a warning says so: no points depend on it.
fn metadata(folder: &Path, assigned: &Assigned, printer: &mut Printer<'_>) -> Metadata {
    let metadata = Metadata::read(&folder.join(METADATA)).unwrap_or_else(|error| {
        printer.warning(format_args!("{error}; the submission is graded all the same"));
        Metadata::default()
    });
    let points = assigned.assignment.points;
    let with_written = points + assigned.assignment.written_points();
    if let Some(there) = metadata.total_points
        && Points::parse(there).is_none_or(|there| there != points && there != with_written)
    {
        printer.warning(format_args!(
            "the assignment is worth {there} points on the platform, and {with_written} here: scores are not scaled"
        ));
    }
    metadata
}

/// Prints outcome, points and isolation level for staff, and returns the exit status.
fn tell(run: &Run, printer: &mut Printer<'_>) -> Exit {
    let Some(record) = run.records.first() else { return Exit::NoGrade };
    let outcome = report::outcome_words(record.outcome);
    let (points, most, level) = (record.points, record.max_points, &run.grader.sandbox);
    if record.outcome == RecordOutcome::NoGrade {
        let reason = record.reason.clone().unwrap_or_default();
        printer.warning(format_args!("{outcome}: {}", reason.to_multiline()));
        return Exit::NoGrade;
    }
    printer.plain(format_args!("{outcome}: {points} of {most} points, isolation {level}\n"));
    Exit::Success
}
