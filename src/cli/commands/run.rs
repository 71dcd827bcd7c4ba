//! `grade run`: grades submissions, saves their records, and prints a report.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use softmark_sandbox::Level;
use softmark_untrusted::Untrusted;

use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::fill;
use crate::cli::gradebook;
use crate::cli::interrupt::Signals;
use crate::cli::isolation::{self, Wanted};
use crate::cli::job_progress::JobProgress;
use crate::cli::libraries;
use crate::cli::plan::RunPlan;
use crate::cli::printer::Printer;
use crate::cli::progress::Progress;
use crate::cli::remote::{self, Remote};
use crate::cli::secret::secret;
use crate::cli::{timings, versions};
use crate::jobs::Costs;
use crate::model::{Grader, Record, RecordOutcome, Run};
use crate::pipeline::{
    self, Archive, Event, Forced, GradingRun, Options, PipelineError, Scratch, Survey, Timings,
};
use crate::report::text::{count, first_few};
use crate::report::{self, Format, Style};
use crate::store::{Input, SavedVersion};

/// Most submissions that one message names.
const MOST_NAMED: usize = 5;

/// Submissions of a run, and what is known of them.
#[derive(Debug)]
pub(crate) struct Work {
    /// The submissions.
    pub(crate) survey: Survey,
    /// Paths at which they were found, for a later regrade.
    pub(crate) inputs: Vec<Input>,
    /// Checks that are run again whatever their keys say.
    pub(crate) forced: Forced,
    /// Advice about results of earlier runs, as the end of a sentence.
    pub(crate) advice: &'static str,
}

/// Grades the submissions that the plan names.
///
/// # Errors
///
/// Fails if nothing could be graded, or if the run could not be completed.
pub(crate) fn run(plan: &RunPlan, env: &Env, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    plan.site.is_apart_from(&plan.submissions)?;
    let course = plan.site.check()?;
    let mut survey = pipeline::survey(
        plan.site.project(),
        (&plan.submissions, &plan.names),
        plan.assignment.as_deref(),
        plan.only.as_ref(),
    )?;
    versions::leave_out_what_cannot_count(&mut survey, &course);
    let (inputs, forced, advice) = (inputs(plan), Forced::new(), "--fresh grades again");
    grade(plan, Work { survey, inputs, forced, advice }, env, printer)
}

/// Grades submissions that have been found, as the plan says.
///
/// # Errors
///
/// Fails if nothing could be graded, or if the run could not be completed.
pub(crate) fn grade(
    plan: &RunPlan,
    work: Work,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    let Work { survey, inputs, forced, advice } = work;
    check_output(plan, &survey)?;
    if let Some(gradebook) = &plan.fill {
        fill::check(gradebook, &plan.site, &survey)?;
    }
    let audience = plan.readers.audience()?;
    let level = isolation::choose(plan.isolation, &plan.site.program()?)?;
    warn_of(level, printer);
    let tools = plan.site.tools(level)?;
    let workers = match plan.workers_at {
        Some(level) => isolation::choose(Wanted::Workers(level), &plan.site.program()?)?,
        None => level,
    };
    let sandbox = plan.site.tools(workers)?.sandbox;
    let pack = libraries::prepare(&plan.site, &tools, env, printer.style)?;
    let grader = Grader {
        version: env!("CARGO_PKG_VERSION").into(),
        seed: Some(plan.seed),
        device: plan.device.as_str().into(),
        sandbox: workers.as_str().into(),
    };
    let scratch = scratch(&std::env::temp_dir())?;
    let open = |out| Archive::open(out, (&grader, &inputs), survey.most_earlier());
    let archive = plan.out.as_deref().map(open).transpose()?;
    let options = Options {
        program: plan.site.program()?,
        scratch,
        seed: plan.seed,
        secret: secret(env, &plan.site.home)?,
        device: plan.device.clone(),
        only: plan.only.as_ref().map(|only| only.glob().glob().to_owned()),
        fresh: plan.fresh,
        forced,
        brief: shows_a_class(plan.format, &survey),
    };
    let costs = archive.as_ref().map(Archive::costs).transpose()?.unwrap_or_default();
    let grading = GradingRun::new(&survey, (&sandbox, &pack), &options, archive)?;
    let graded = match &plan.engine {
        None => grade_here(plan, (&grading, &survey), env, printer.style)?,
        Some(engine) => {
            let out = plan.out.as_deref().ok_or_else(no_results)?;
            let (site, tools, pack) = (&plan.site, &tools, pack.key());
            let workers_at = workers.as_str();
            let remote = Remote { plan: engine, env, site, tools, pack, workers_at, out };
            let of_run = (plan, &options, &Costs::new(costs));
            grade_by_jobs(&remote, of_run, (&grading, &survey), printer.style)?
        }
    };
    let Graded { records, finished } = graded;
    let run = Run { grader, records };
    if let Some(out) = &plan.out {
        gradebook::write(out, &run.grader, printer)?;
    }
    let view = audience.view(&run);
    printer
        .data(|layout, out| report::write(&view, plan.site.catalog, (plan.format, layout), out))?;
    if plan.timings {
        printer.plain(timings::table(&run.records, &finished.timings));
    }
    tell(plan, (&finished, advice), printer);
    let exit = verdict(plan, &run, printer).max(verdict_of_earlier(&finished, printer));
    if let (Some(out), Some(gradebook)) = (&plan.out, &plan.fill) {
        fill::fill(gradebook, (&plan.site, out), &run.records, printer)?;
    }
    Ok(exit)
}

/// Returns where the submissions on the command line are, for a regrade.
pub(super) fn inputs(plan: &RunPlan) -> Vec<Input> {
    let each = plan.submissions.iter().map(|path| Input {
        path: std::path::absolute(path).unwrap_or_else(|_| path.clone()),
        assignment: plan.assignment.clone(),
        names: plan.names_given.clone(),
    });
    each.collect()
}

/// True if the output shows only what is shown of a class.
fn shows_a_class(format: Format, survey: &Survey) -> bool {
    match format {
        Format::Terminal => survey.entries.len() != 1,
        Format::Csv => true,
        Format::Json
        | Format::Junit
        | Format::Html
        | Format::Markdown
        | Format::Gradescope
        | Format::Classroom => false,
    }
}

/// Records of a run, and what is not kept in them.
struct Graded {
    records: Vec<Record>,
    finished: Finished,
}

/// Grades the submissions in threads of this process.
fn grade_here(
    plan: &RunPlan,
    (grading, survey): (&GradingRun<'_>, &Survey),
    env: &Env,
    style: Style,
) -> Result<Graded, Failure> {
    let mut finished = Finished::default();
    let mut progress = Progress::new(env, style, survey.graded().len());
    let mut listen = |event: Event| {
        progress.handle(&event);
        finished.hear(&event);
    };
    let records = grading.grade_all(survey, plan.jobs, &mut listen);
    progress.end();
    Ok(Graded { records: records?, finished })
}

/// Has the submissions graded by a job engine.
fn grade_by_jobs(
    remote: &Remote<'_>,
    of_run: (&RunPlan, &Options, &Costs),
    grading: (&GradingRun<'_>, &Survey),
    style: Style,
) -> Result<Graded, Failure> {
    let mut finished = Finished::default();
    let mut progress = JobProgress::new(remote.env, style, "submissions");
    let mut listen = |event: Event| finished.hear(&event);
    let records = remote::grade(remote, of_run, grading, &mut progress, &mut listen);
    progress.end();
    Ok(Graded { records: records?, finished })
}

fn no_results() -> Failure {
    Failure::usage(
        "a run of a job engine needs a folder of results, which all its machines share",
        "name one with `--out DIR`",
    )
}

/// Facts about finished submissions that are not kept in their records.
#[derive(Debug, Default)]
struct Finished {
    /// Number of submissions, with earlier versions.
    all: usize,
    /// Number of earlier versions.
    earlier: usize,
    /// Submissions with an earlier version that the grader failed to grade.
    failed_earlier: BTreeSet<Untrusted>,
    /// Number of submissions of which no code was run.
    cached: usize,
    /// Number of submissions of which some checks were run.
    mixed: usize,
    /// Number of checks.
    checks: usize,
    /// Number of checks whose results come from earlier runs.
    reused: usize,
    /// Time that grading took, by submission; none for an earlier record.
    timings: BTreeMap<Untrusted, Timings>,
}

impl Finished {
    fn hear(&mut self, event: &Event) {
        match event {
            Event::Finished {
                submission,
                version,
                outcome,
                cached,
                checks,
                reused,
                timings,
                ..
            } => {
                let is_earlier = *version != SavedVersion::Latest;
                self.all += 1;
                self.earlier += usize::from(is_earlier);
                if is_earlier && *outcome == RecordOutcome::NoGrade {
                    self.failed_earlier.insert(submission.clone());
                }
                self.cached += usize::from(*cached);
                self.mixed += usize::from(!cached && *reused > 0);
                self.checks += checks;
                self.reused += reused;
                if !cached && !is_earlier {
                    self.timings.insert(submission.clone(), timings.clone());
                }
            }
            Event::Started { .. } | Event::Compiling { .. } | Event::Checking { .. } => {}
        }
    }
}

/// A run's folder; it is gone too when the run is broken off.
pub(crate) fn scratch(temporary: &Path) -> Result<Scratch, Failure> {
    let signals = Signals::held_back().map_err(PipelineError::Thread)?;
    let scratch = Scratch::make(temporary).map_err(|error| {
        // Not the whole error: the folder that it names has another name each time.
        let message = format!("cannot write in {}: {}", temporary.display(), error.kind());
        Failure::broken(message, "nothing was graded; set TMPDIR to a folder with room")
    })?;
    signals.clean_up(scratch.path().to_owned()).map_err(PipelineError::Thread)?;
    Ok(scratch)
}

/// Says what a level leaves in reach.
pub(crate) fn warn_of(level: Level, printer: &mut Printer<'_>) {
    if level < Level::Full && !level.remaining_exposure().is_empty() {
        let leaves = level.remaining_exposure();
        printer.warning(format_args!("submissions are isolated at level `{level}`: {leaves}"));
        printer.hint("`grade doctor` tells why, and how to get a better one");
    }
}

/// Checks that the output that the plan asks for can be written.
fn check_output(plan: &RunPlan, survey: &Survey) -> Result<(), Failure> {
    let number = survey.entries.len();
    let format = plan.format;
    if format.takes_one() && number != 1 {
        return Err(Failure::usage(
            format!("the {format} format takes one submission, and there are {number}"),
            format!("grade the class, then print each with `grade show ID --format {format}`"),
        ));
    }
    match &plan.out {
        Some(out) if out.exists() && !out.is_dir() => Err(Failure::usage(
            format!("{} is no folder", out.display()),
            "results are kept in a folder; `--out` names another one",
        )),
        Some(_) | None => Ok(()),
    }
}

/// Says what the report does not.
fn tell(plan: &RunPlan, (finished, advice): (&Finished, &str), printer: &mut Printer<'_>) {
    if let Some(out) = &plan.out {
        printer.plain(format_args!("kept in {}\n", out.display()));
    }
    let Finished { all: of, earlier, cached, mixed, checks, reused, .. } = finished;
    if *earlier > 0 {
        let versions = count(*earlier, "earlier version was", "earlier versions were");
        let advice = "`grade course check` shows what counts";
        printer.plain(format_args!("{versions} graded too; {advice}\n"));
    }
    if cached + mixed == 0 {
        return;
    }
    let had = count(*cached, "record", "records");
    let ran = count(checks - reused, "check", "checks");
    let rest = format!(", {ran} run, {reused} from an earlier run");
    let rest = if *mixed > 0 { rest } else { String::new() };
    printer.plain(format_args!("{had} of {of} from an earlier run{rest}; {advice}\n"));
}

/// Returns the exit status, and the reason for it.
fn verdict(plan: &RunPlan, run: &Run, printer: &mut Printer<'_>) -> Exit {
    let (ungraded, graded): (Vec<&Record>, Vec<&Record>) =
        run.records.iter().partition(|record| record.outcome == RecordOutcome::NoGrade);
    let below: Vec<&Record> =
        graded.into_iter().filter(|record| is_below(record, plan.require)).collect();
    if let Some(percent) = plan.require
        && !below.is_empty()
    {
        let number = count(below.len(), "grade is", "grades are");
        printer.warning(format_args!("{number} below {percent} %: {}", names(&below)));
    }
    if !ungraded.is_empty() {
        let number = count(ungraded.len(), "submission has", "submissions have");
        let names = names(&ungraded);
        let reason = ungraded.first().and_then(|record| record.reason.as_ref());
        printer.warning(format_args!("{number} no grade: {names}"));
        let first = reason.map(Untrusted::first_line).unwrap_or_default();
        printer.hint(format_args!("the first one's reason: {first}"));
        return Exit::NoGrade;
    }
    if below.is_empty() { Exit::Success } else { Exit::Unmet }
}

/// Returns the exit status for the earlier versions, and the reason for it.
fn verdict_of_earlier(finished: &Finished, printer: &mut Printer<'_>) -> Exit {
    let failed: Vec<&Untrusted> = finished.failed_earlier.iter().collect();
    if failed.is_empty() {
        return Exit::Success;
    }
    let number = count(failed.len(), "submission has", "submissions have");
    let names = first_few(&failed, MOST_NAMED);
    printer.warning(format_args!("{number} an earlier version without a grade: {names}"));
    printer.hint("grade again; until then, `grade course check` shows no mark where it may count");
    Exit::NoGrade
}

fn is_below(record: &Record, require: Option<u8>) -> bool {
    let Some(percent) = require else { return false };
    let points = u64::from(record.points.hundredths()) * 100;
    let most = u64::from(record.max_points.hundredths());
    match record.outcome {
        RecordOutcome::Graded | RecordOutcome::BuildFailed => points < u64::from(percent) * most,
        // Of what was not accepted it may not even be known what it could have earned.
        RecordOutcome::Rejected => percent > 0,
        RecordOutcome::NoGrade => false,
    }
}

fn names(records: &[&Record]) -> String {
    let names: Vec<&Untrusted> = records.iter().map(|record| &record.submission).collect();
    first_few(&names, MOST_NAMED)
}
