//! `grade chunk`: grades a chunk of a run that another process coordinates.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::build::Pack;
use crate::cli::commands::run::scratch;
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, Wanted};
use crate::cli::plan;
use crate::cli::secret::secret;
use crate::cli::site::Site;
use crate::digest;
use crate::jobs::{
    ChunkFile, ChunkOutcome, ChunkResult, ChunkRun, GradedEntry, JobsError, RunFile, RunFolder,
    node,
};
use crate::pipeline::{self, GradingRun, Options};

/// Grades the chunk whose file is at `path`, and writes its result into the folder of the run.
///
/// # Errors
///
/// Fails if the file cannot be read, or the result cannot be written. Any other failure is the result.
pub(crate) fn chunk(path: &Path, env: &Env) -> Result<Exit, Failure> {
    let folder = RunFolder::of_chunk(path)?;
    let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
    let number: u32 = number.ok_or_else(|| {
        let hint = "job engines start `grade chunk` with a file in the folder of a run";
        Failure::usage(format!("{} is no file of a chunk", path.display()), hint)
    })?;
    let file = ChunkFile::read(&folder, number)?;
    let graded =
        RunFile::read(&folder).map_err(Failure::from).and_then(|run| grade(&run, &file, env));
    let (outcome, exit) = match graded {
        Ok(graded) => (ChunkOutcome::Graded(graded), Exit::Success),
        Err(failure) => (ChunkOutcome::Failed(described(&failure)), Exit::NoGrade),
    };
    ChunkResult { node: node(), outcome }.write(&folder, number)?;
    Ok(exit)
}

fn described(failure: &Failure) -> String {
    match &failure.hint {
        Some(hint) => format!("{} ({hint})", failure.message),
        None => failure.message.clone(),
    }
}

/// Grades a chunk, if this machine has what the run was set up with.
fn grade(run: &RunFile, file: &ChunkFile, env: &Env) -> Result<Vec<GradedEntry>, Failure> {
    // Paths of submissions are part of records, so they have to be as they were given.
    std::env::set_current_dir(&run.folder).map_err(|error| {
        differs(
            "the folder in which the run was started",
            format!("{}: {error}", run.folder.display()),
        )
    })?;
    let site = Site::at(&run.home, &run.cache, env);
    site.check()?;
    let program = site.program()?;
    same("the program", &site.program_digest()?, &run.program)?;
    let secret = secret(env, &site.home)?;
    same("the course's secret", &digest::of(&[&secret]), &run.secret)?;
    let level = isolation::choose(Wanted::Exactly(isolation::level(&run.level)?), &program)?;
    let workers_at =
        isolation::choose(Wanted::Workers(isolation::level(&run.workers_at)?), &program)?;
    let tools = site.tools(level)?;
    let sandbox = site.tools(workers_at)?.sandbox;
    let pack = Pack::open(&tools, &site.home, &site.cache(), &run.pack)?;
    let names = run.names.as_deref().map(plan::names).transpose()?.unwrap_or_default();
    let only = run.only.as_deref().map(plan::glob).transpose()?;
    let (paths, assignment) = (&run.submissions, run.assignment.as_deref());
    let survey = pipeline::survey(site.project(), (paths, &names), assignment, only.as_ref())?;
    let threads = usize::try_from(run.cpus).ok().and_then(NonZeroUsize::new);
    let threads = threads.unwrap_or(NonZeroUsize::MIN);
    let options = Options {
        program,
        scratch: scratch(&std::env::temp_dir())?,
        seed: run.seed,
        secret,
        device: run.device.clone(),
        only: run.only.clone(),
        given: run.assignment.clone(),
        fresh: true,
    };
    let grading = GradingRun::new(&survey, (&sandbox, &pack), &options, None)?;
    Ok(ChunkRun { run: &grading, survey: &survey }.grade(file, threads)?)
}

fn same(what: &'static str, here: &str, of_run: &str) -> Result<(), Failure> {
    if here == of_run {
        return Ok(());
    }
    Err(differs(what, "its digest is another one".to_owned()))
}

fn differs(what: &'static str, reason: String) -> Failure {
    JobsError::Differs { what, node: node(), reason }.into()
}
