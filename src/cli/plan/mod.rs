//! Plans: validated commands, made from the arguments and the environment.

mod course;
mod ledger;
mod plans;
mod regrade;
mod serve;
mod values;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::cli::args::{
    Args, AttachArgs, AuditArgs, AutogradeArgs, CalibrateArgs, ChunkArgs, Command, CompletionsArgs,
    DoctorArgs, EngineArgs, ExplainArgs, FeedbackArgs, GithubArgs, GradescopeArgs, InsteadArgs,
    ManArgs, MarkArgs, NewAssignmentArgs, NewCommand, NewCourseArgs, On, PackageCommand,
    ReleaseArgs, RunArgs, ShowArgs, SimilarArgs,
};
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::readers::Readers;
use crate::cli::site::Site;
use crate::fixtures::Expect;
use crate::jobs::EngineChoice;
use crate::model::Points;
use crate::package::ToolchainSource;
use crate::scaffold::{NewCourse, Source};
use crate::similar::Threshold;

pub(crate) use course::{CourseCheckPlan, CourseFiles, CourseGradesPlan, CoursePlan, Gradebooks};
pub(crate) use ledger::{
    AppealPlan, Decision, DiffPlan, LogPlan, OverridePlan, ResultsName, StatsPlan, Target,
};
pub(crate) use plans::{
    AuditPlan, AuditResult, AutogradePlan, CalibratePlan, DoctorPlan, EnginePlan, FeedbackPlan,
    MarkPlan, NewMark, NewPlan, PackagePlan, Plan, Platform, RegradePlan, ReleasePlan, RunPlan,
    ShowPlan, SimilarPlan,
};
pub(crate) use serve::{ServePlan, TokenSource, UsersChange};
use values::{device, wanted};
pub(crate) use values::{glob, names};

/// Folder of results, if none is named.
pub(crate) const RESULTS: &str = "results";

/// Validates `args` in the environment `env`, and returns the plan.
///
/// # Errors
///
/// Fails if the arguments are invalid.
pub(crate) fn plan(args: Args, env: &Env) -> Result<Plan, Failure> {
    match args.command {
        None => run(args.run, env),
        Some(Command::Run(args)) => run(args, env),
        Some(Command::Chunk(ChunkArgs { file })) => Ok(Plan::Chunk(file)),
        Some(Command::Attach(AttachArgs { folder })) => Ok(Plan::Attach(folder)),
        Some(Command::Package(command)) => package(command, env),
        Some(Command::Autograde(AutogradeArgs { assignment, folder })) => {
            Ok(Plan::Autograde(AutogradePlan { site: Site::of(env)?, assignment, folder }))
        }
        Some(Command::Show(ShowArgs { submission, out, format, audience })) => {
            let readers = Readers::of(&audience, env)?;
            Ok(Plan::Show(ShowPlan { submission, out, format, readers }))
        }
        Some(Command::Feedback(FeedbackArgs { out, results, assignment, reveal })) => {
            let readers = Readers::students(reveal, env)?;
            Ok(Plan::Feedback(FeedbackPlan { out, results, assignment, readers }))
        }
        Some(Command::Mark(args)) => mark(args),
        Some(Command::Similar(args)) => similar(args, env),
        Some(Command::Override(args)) => ledger::overriding(args).map(Plan::Override),
        Some(Command::Appeal(command)) => ledger::appeal(command).map(Plan::Appeal),
        Some(Command::Regrade(args)) => {
            regrade::regrade(args, env).map(|plan| Plan::Regrade(Box::new(plan)))
        }
        Some(Command::Log(args)) => Ok(Plan::Log(ledger::log(args))),
        Some(Command::Diff(args)) => Ok(Plan::Diff(ledger::diff(args))),
        Some(Command::Stats(args)) => Ok(Plan::Stats(ledger::stats(args))),
        Some(Command::Serve(args)) => Ok(Plan::Serve(Box::new(serve::serve(args, env)?))),
        Some(Command::Explain(ExplainArgs { mistake })) => Ok(Plan::Explain(mistake)),
        Some(Command::Calibrate(args)) => calibrate(args, env),
        Some(Command::Audit(args)) => audit(args, env),
        Some(Command::Doctor(args)) => doctor(args, env),
        Some(Command::Completions(CompletionsArgs { shell })) => Ok(Plan::Completions(shell)),
        Some(Command::Man(ManArgs { out })) => Ok(Plan::Man(out)),
        Some(Command::Course(command)) => Ok(Plan::Course(course::course(command, env)?)),
        Some(Command::New(NewCommand::Course(args))) => new_course(args),
        Some(Command::New(NewCommand::Assignment(NewAssignmentArgs { id }))) => {
            Ok(Plan::New(NewPlan::Assignment { site: Site::of(env)?, id }))
        }
        Some(Command::Release(ReleaseArgs { assignments, out, zip, check })) => {
            let site = Site::of(env)?;
            Ok(Plan::Release(ReleasePlan { site, assignments, out, zip, check }))
        }
    }
}

fn package(command: PackageCommand, env: &Env) -> Result<Plan, Failure> {
    let site = Site::of(env)?;
    let (assignment, out, platform) = match command {
        PackageCommand::Gradescope(GradescopeArgs { assignment, out, bundle_toolchain: true }) => {
            (assignment, out, Platform::Gradescope(ToolchainSource::Bundle))
        }
        PackageCommand::Gradescope(GradescopeArgs { assignment, out, .. }) => {
            (assignment, out, Platform::Gradescope(ToolchainSource::Download))
        }
        PackageCommand::Github(GithubArgs { assignment, out }) => {
            (assignment, out, Platform::Github)
        }
    };
    Ok(Plan::Package(PackagePlan { site, assignment, out, platform }))
}

fn new_course(args: NewCourseArgs) -> Result<Plan, Failure> {
    let NewCourseArgs { folder, title, assignment, softmark } = args;
    let hint = "`--softmark` takes the folder of a checkout, or the address of its git repository";
    let source = softmark.as_deref().map_or_else(Source::built_from, Source::parse);
    let source = source.map_err(|error| Failure::usage(error.to_string(), hint))?;
    // Of `.`, the name of the current folder.
    let full = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    let name = || full.file_name().map(|name| name.to_string_lossy().into_owned());
    let title = title.or_else(name).unwrap_or_else(|| "Course".to_owned());
    Ok(Plan::New(NewPlan::Course(NewCourse { folder, title, assignment, source })))
}

fn mark(args: MarkArgs) -> Result<Plan, Failure> {
    let MarkArgs { submission, question, points, by, comment, out } = args;
    let (Some(submission), Some(question), Some(value)) = (submission, question, points) else {
        return Ok(Plan::Mark(MarkPlan { given: None, out }));
    };
    let Some(points) = Points::parse(value) else {
        return Err(Failure::usage(
            format!("{value} is no number of points"),
            "points are hundredths, such as 3.5 or 0.25",
        ));
    };
    let given = Some(NewMark { submission, question, points, by, comment });
    Ok(Plan::Mark(MarkPlan { given, out }))
}

fn doctor(args: DoctorArgs, env: &Env) -> Result<Plan, Failure> {
    let DoctorArgs { engine: args, probes, out } = args;
    // A command for each probe, all at the same time: a queue that is waited for must not be waited for twice.
    let engine = engine(args, Some(probes), probes)?;
    let out = out.unwrap_or_else(|| PathBuf::from(RESULTS));
    Ok(Plan::Doctor(DoctorPlan { site: Site::of(env)?, engine, out }))
}

fn similar(args: SimilarArgs, env: &Env) -> Result<Plan, Failure> {
    let SimilarArgs { submissions, with, assignment, names: given, least, format, out } = args;
    let measured = Threshold::MEASURED;
    let share = least.map_or(measured.share, |percent| f64::from(percent) / 100.0);
    Ok(Plan::Similar(Box::new(SimilarPlan {
        site: Site::of(env)?,
        submissions,
        with,
        assignment,
        names: given.as_deref().map(names).transpose()?.unwrap_or_default(),
        threshold: Threshold { share, ..measured },
        format,
        out,
    })))
}

fn calibrate(args: CalibrateArgs, env: &Env) -> Result<Plan, Failure> {
    let jobs = args.jobs.unwrap_or(env.cores);
    let seeds = 0..u64::from(args.seeds.get());
    Ok(Plan::Calibrate(Box::new(CalibratePlan {
        site: Site::of(env)?,
        assignment: args.assignment,
        task: args.task,
        seeds: seeds.map(|seed| args.seed.wrapping_add(seed)).collect(),
        only: args.only.as_deref().map(glob).transpose()?,
        all_mutants: args.all_mutants,
        jobs,
        json: args.json,
        engine: engine(args.engine.engine, args.engine.chunks, jobs)?,
    })))
}

fn audit(args: AuditArgs, env: &Env) -> Result<Plan, Failure> {
    let count = if args.short { 1 } else { u64::from(args.seeds.get()) };
    // The first has to be that which the patch of every mutant speaks of.
    let seeds = (0..count).map(|further| Expect::SEED + further).collect();
    let jobs = args.jobs.unwrap_or(env.cores);
    let engine = engine(args.engine.engine, args.engine.chunks, jobs)?;
    if engine.is_some() && args.instead.record {
        return Err(Failure::usage(
            "answers are recorded by this process, which writes them into the course",
            "leave out `--on`, or `--record`",
        ));
    }
    Ok(Plan::Audit(Box::new(AuditPlan {
        site: Site::of(env)?,
        assignment: args.assignment,
        seeds,
        jobs,
        engine,
        format: args.format,
        out: args.out,
        only: args.only.as_deref().map(glob).transpose()?,
        short: args.short,
        result: match args.instead {
            InsteadArgs { record: true, .. } => AuditResult::Recordings,
            InsteadArgs { messages: true, .. } => AuditResult::Messages,
            InsteadArgs { .. } => AuditResult::Findings,
        },
    })))
}

fn run(args: RunArgs, env: &Env) -> Result<Plan, Failure> {
    let device = device(&args.device)?;
    let only = args.only.as_deref().map(glob).transpose()?;
    // A part of a grade must not take the place of a whole one.
    let out = args.out.or_else(|| only.is_none().then(|| PathBuf::from(RESULTS)));
    let jobs = args.jobs.unwrap_or(env.cores);
    let engine = engine(args.engine.engine, args.engine.chunks, jobs)?;
    if engine.is_some() && args.isolation.run_unsandboxed {
        return Err(Failure::usage(
            "submissions are never graded on other machines without a sandbox",
            "leave out `--run-unsandboxed`, or grade here",
        ));
    }
    if args.fill.is_some() && only.is_some() {
        return Err(Failure::usage(
            "a gradebook is filled with the points of all checks, and `--only` runs some",
            "leave out `--fill`, or `--only`",
        ));
    }
    Ok(Plan::Run(Box::new(RunPlan {
        site: Site::of(env)?,
        submissions: args.submissions,
        names: args.names.as_deref().map(names).transpose()?.unwrap_or_default(),
        names_given: args.names,
        assignment: args.assignment,
        out,
        format: args.format,
        readers: Readers::of(&args.audience, env)?,
        jobs,
        seed: args.seed,
        device,
        only,
        isolation: wanted(&args.isolation),
        workers_at: args.isolation.workers_at,
        fresh: args.fresh,
        fill: args.fill,
        timings: args.timings,
        require: args.require,
        engine,
    })))
}

/// Returns the job engine; `jobs` commands are run at the same time.
fn engine(
    args: EngineArgs,
    chunks: Option<NonZeroUsize>,
    jobs: NonZeroUsize,
) -> Result<Option<EnginePlan>, Failure> {
    let EngineArgs { on, sbatch } = args;
    if on != On::Slurm && !sbatch.is_empty() {
        return Err(Failure::usage(
            "arguments after `--` are for `sbatch`, and nothing is submitted to Slurm",
            "add `--on slurm`, or write a submission whose name begins with `-` as `./-name`",
        ));
    }
    let jobs = u32::try_from(jobs.get()).unwrap_or(u32::MAX);
    let engine = match on {
        On::Local => return Ok(None),
        On::Slurm => EngineChoice::Slurm(sbatch),
        On::Command(command) => EngineChoice::Command { command, jobs },
    };
    Ok(Some(EnginePlan { engine, chunks, attached: None }))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use softmark_sandbox::Level;

    use super::*;
    use crate::cli::exit::Exit;
    use crate::cli::isolation::Wanted;
    use crate::report::Format;

    fn planned(line: &str) -> Result<RunPlan, Failure> {
        let args = Args::try_parse_from(line.split(' ')).unwrap();
        match plan(args, &Env::of(&[]))? {
            Plan::Run(run) => Ok(*run),
            other @ (Plan::Chunk(_)
            | Plan::Attach(_)
            | Plan::Package(_)
            | Plan::Autograde(_)
            | Plan::Show(_)
            | Plan::Mark(_)
            | Plan::Feedback(_)
            | Plan::Similar(_)
            | Plan::Override(_)
            | Plan::Appeal(_)
            | Plan::Regrade(_)
            | Plan::Log(_)
            | Plan::Serve(_)
            | Plan::Diff(_)
            | Plan::Stats(_)
            | Plan::Explain(_)
            | Plan::Calibrate(_)
            | Plan::Audit(_)
            | Plan::Doctor(_)
            | Plan::Course(_)
            | Plan::New(_)
            | Plan::Release(_)
            | Plan::Completions(_)
            | Plan::Man(_)) => {
                panic!("{other:?}")
            }
        }
    }

    #[test]
    fn what_is_not_said_is_decided() {
        let run = planned("grade class").unwrap();
        assert_eq!(run.out, Some("results".into()));
        assert_eq!((run.jobs.get(), run.seed, run.device.as_str()), (8, 1, "cpu"));
        assert_eq!((run.format, run.fresh, run.require), (Format::Terminal, false, None));
        assert!(run.only.is_none() && run.assignment.is_none());
    }

    #[test]
    fn nobody_is_unsandboxed_who_did_not_say_so() {
        let isolation = |line: &str| planned(&format!("grade x{line}")).unwrap().isolation;
        assert_eq!(isolation(""), Wanted::AtLeast(Level::Landlock));
        assert_eq!(isolation(" --require-isolation full"), Wanted::AtLeast(Level::Full));
        assert_eq!(isolation(" --isolation landlock"), Wanted::Exactly(Level::Landlock));
        assert_eq!(isolation(" --run-unsandboxed"), Wanted::Exactly(Level::None));
        for line in [
            "--isolation none",
            "--require-isolation none",
            "--isolation limits",
            "--run-unsandboxed --require-isolation full",
            "--run-unsandboxed --isolation full",
        ] {
            assert!(Args::try_parse_from(format!("grade x {line}").split(' ')).is_err(), "{line}");
        }
    }

    #[test]
    fn a_part_is_kept_only_where_that_is_asked_for() {
        assert_eq!(planned("grade class --only x/*").unwrap().out, None);
        let kept = planned("grade class --only x/* --out parts").unwrap();
        assert_eq!(kept.out, Some("parts".into()));
    }

    #[test]
    fn patterns_reach_across_the_slash() {
        let only = |pattern: &str| planned(&format!("grade class --only {pattern}")).unwrap().only;
        let fits = |pattern, id| only(pattern).unwrap().is_match(id);
        assert!(fits("multi-head/*", "multi-head/parameters"));
        assert!(fits("*/matches-reference", "multi-head/matches-reference"));
        assert!(fits("*reference", "multi-head/matches-reference"));
        assert!(!fits("multi-head", "multi-head/parameters"));
        assert!(fits("{a,b}/c", "b/c"));
    }

    #[test]
    fn devices_that_are_not_there_are_refused() {
        for name in ["cpu", "auto"] {
            assert_eq!(planned(&format!("grade x --device {name}")).unwrap().device, "cpu");
        }
        for (name, said) in [
            ("cuda", "on the CPU alone"),
            ("cuda:1", "on the CPU alone"),
            ("cuda:x", "there is no device"),
            ("cudas", "there is no device"),
            ("gpu", "there is no device"),
        ] {
            let failure = planned(&format!("grade x --device {name}")).unwrap_err();
            assert_eq!(failure.exit, Exit::Usage);
            assert!(failure.message.contains(said), "{}", failure.message);
        }
    }

    #[test]
    fn a_gradebook_is_not_filled_with_points_of_some_checks() {
        let fill = planned("grade x --fill canvas=grades=1.csv").unwrap().fill.unwrap();
        assert_eq!(fill.path, PathBuf::from("grades=1.csv"));
        let failure = planned("grade x --fill canvas=grades.csv --only a/*").unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        for wrong in ["canvas", "canvas=", "ilias=grades.csv", ""] {
            let args = ["grade", "x", "--fill", wrong];
            assert!(Args::try_parse_from(args).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_broken_pattern_is_refused() {
        let failure = planned("grade x --only a[").unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
    }
}
