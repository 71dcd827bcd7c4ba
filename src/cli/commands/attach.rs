//! `grade attach`: goes on with a run whose jobs were left alone.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::cli::args::{AudienceArgs, On, Who};
use crate::cli::commands::run;
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, Wanted};
use crate::cli::plan::{self, EnginePlan, RunPlan};
use crate::cli::printer::Printer;
use crate::cli::readers::Readers;
use crate::cli::site::Site;
use crate::jobs::{EngineChoice, RunFile, RunFolder};
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
    run::run(&planned(file, &folder, &env)?, &env, printer)
}

fn planned(file: RunFile, folder: &RunFolder, env: &Env) -> Result<RunPlan, Failure> {
    let (on, sbatch, jobs) = match file.engine {
        EngineChoice::Slurm(arguments) => (On::Slurm, arguments, 1),
        EngineChoice::Command { command, jobs } => (On::Command(command), Vec::new(), jobs),
    };
    let jobs = usize::try_from(jobs).ok().and_then(NonZeroUsize::new);
    Ok(RunPlan {
        site: Site::at(&file.home, &file.cache, env),
        submissions: file.submissions,
        names: file.names.as_deref().map(plan::names).transpose()?.unwrap_or_default(),
        names_given: file.names,
        assignment: file.assignment,
        out: Some(file.out),
        format: Format::Terminal,
        readers: Readers::of(&AudienceArgs { audience: Who::Staff, reveal: false }, env)?,
        jobs: jobs.unwrap_or(NonZeroUsize::MIN),
        seed: file.seed,
        device: file.device,
        only: file.only.as_deref().map(plan::glob).transpose()?,
        isolation: Wanted::Exactly(isolation::level(&file.level)?),
        workers_at: Some(isolation::level(&file.workers_at)?),
        fresh: false,
        timings: false,
        require: None,
        engine: EnginePlan { on, chunks: None, sbatch, attached: Some(folder.path().to_owned()) },
    })
}
