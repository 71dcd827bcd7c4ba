//! `grade attach`: goes on with a run whose jobs were left alone.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::cli::args::{AudienceArgs, Who};
use crate::cli::commands::{audit, calibrate, run};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, Wanted};
use crate::cli::plan::{self, AuditPlan, AuditResult, CalibratePlan, EnginePlan, RunPlan};
use crate::cli::printer::Printer;
use crate::cli::readers::Readers;
use crate::cli::site::Site;
use crate::jobs::{AuditTask, CalibrationTask, GradingTask, RunFile, RunFolder, Task};
use crate::report::Format;

/// Goes on with the run in `folder`.
///
/// # Errors
///
/// Fails if there is no run, or it cannot be completed.
pub(crate) fn attach(folder: &Path, env: &Env, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let folder = RunFolder::open(folder)?;
    let file = RunFile::read(&folder)?;
    // Paths of submissions are part of records, so they have to be as they were given.
    std::env::set_current_dir(&file.folder).map_err(|error| {
        let message = format!("cannot go to {}: {error}", file.folder.display());
        Failure::broken(message, "the run was started there, and names its submissions from there")
    })?;
    let env = Env { folder: Some(file.folder.clone()), ..env.clone() };
    let site = Site::at(&file.home, &file.cache, &env);
    let engine = Some(EnginePlan {
        engine: file.engine.clone(),
        chunks: None,
        attached: Some(folder.path().to_owned()),
    });
    match file.task.clone() {
        Task::Grading(task) => run::run(&graded(task, &file, (site, engine), &env)?, &env, printer),
        Task::Calibration(task) => {
            calibrate::calibrate(&calibrated(task, (site, engine))?, &env, printer)
        }
        Task::Audit(task) => audit::audit(&audited(task, (site, engine))?, &env, printer),
        Task::Probe => Err(Failure::usage(
            format!("{} only asks what the machines are like", folder.path().display()),
            "`grade doctor` asks again",
        )),
    }
}

/// Returns the plan of grading.
fn graded(
    task: GradingTask,
    file: &RunFile,
    (site, engine): (Site, Option<EnginePlan>),
    env: &Env,
) -> Result<RunPlan, Failure> {
    Ok(RunPlan {
        site,
        submissions: task.submissions,
        names: task.names.as_deref().map(plan::names).transpose()?.unwrap_or_default(),
        names_given: task.names,
        assignment: task.assignment,
        out: Some(task.out),
        format: Format::Terminal,
        readers: Readers::of(&AudienceArgs { audience: Who::Staff, reveal: false }, env)?,
        jobs: NonZeroUsize::MIN,
        seed: task.seed,
        device: task.device,
        only: task.only.as_deref().map(plan::glob).transpose()?,
        isolation: Wanted::Exactly(isolation::level(&file.level)?),
        workers_at: Some(isolation::level(&file.workers_at)?),
        fresh: false,
        fill: None,
        timings: false,
        require: None,
        engine,
    })
}

/// Returns the plan of a calibration.
fn calibrated(
    task: CalibrationTask,
    (site, engine): (Site, Option<EnginePlan>),
) -> Result<CalibratePlan, Failure> {
    Ok(CalibratePlan {
        site,
        assignment: task.assignment,
        task: task.task,
        seeds: task.seeds,
        only: task.only.as_deref().map(plan::glob).transpose()?,
        all_mutants: task.all_mutants,
        jobs: NonZeroUsize::MIN,
        json: task.json,
        engine,
    })
}

/// Returns the plan of an audit.
fn audited(
    task: AuditTask,
    (site, engine): (Site, Option<EnginePlan>),
) -> Result<AuditPlan, Failure> {
    let format = task.format.parse().map_err(|_| {
        let hint = "start the audit again";
        Failure::broken(format!("there is no format `{}`", task.format), hint)
    })?;
    Ok(AuditPlan {
        site,
        assignment: task.assignment,
        seeds: task.seeds,
        jobs: NonZeroUsize::MIN,
        format,
        out: task.out,
        only: task.only.as_deref().map(plan::glob).transpose()?,
        short: task.short,
        result: if task.messages { AuditResult::Messages } else { AuditResult::Findings },
        engine,
    })
}
