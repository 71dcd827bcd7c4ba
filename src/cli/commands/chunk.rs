//! `grade chunk`: does a chunk of a run that another process coordinates.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use softmark_sandbox::Sandbox;

use crate::build::Pack;
use crate::cli::commands::{audit, calibrate, probe, run};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, Wanted};
use crate::cli::plan;
use crate::cli::secret::secret;
use crate::cli::site::Site;
use crate::digest;
use crate::jobs::{
    ChunkFile, ChunkOutcome, ChunkResult, GradedSubmission, GradingTask, JobsError, RunFile,
    RunFolder, Task, UnitResult, grade_chunk, node,
};
use crate::pipeline::{self, GradingRun, Options};

/// Does the chunk whose file is at `path`, and writes its result into the folder of the run.
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
    let chunk = ChunkFile::read(&folder, number)?;
    let into = (&folder, number);
    match RunFile::read(&folder) {
        Err(error) => finish::<()>(Err(error.into()), into),
        Ok(RunFile { task: Task::Probe, .. }) => finish(probe::probe(&folder, &chunk, env), into),
        Ok(run) => match &run.task {
            Task::Grading(task) => {
                finish(Node::of(&run, env).and_then(|node| grade(&node, task, &chunk)), into)
            }
            Task::Calibration(task) => {
                let trained = Node::of(&run, env)
                    .and_then(|node| calibrate::train_chunk(&node, task, &chunk));
                finish(trained, into)
            }
            Task::Audit(task) => {
                let audited =
                    Node::of(&run, env).and_then(|node| audit::audit_chunk(&node, task, &chunk));
                finish(audited, into)
            }
            Task::Probe => Ok(Exit::Success),
        },
    }
}

/// Writes the result of a chunk.
fn finish<T: Serialize + DeserializeOwned>(
    done: Result<Vec<UnitResult<T>>, Failure>,
    (folder, number): (&RunFolder, u32),
) -> Result<Exit, Failure> {
    let (outcome, exit) = match done {
        Ok(done) => (ChunkOutcome::Done(done), Exit::Success),
        Err(failure) => (ChunkOutcome::Failed(described(&failure)), Exit::NoGrade),
    };
    ChunkResult { node: node(), outcome }.write(folder, number)?;
    Ok(exit)
}

fn described(failure: &Failure) -> String {
    match &failure.hint {
        Some(hint) => format!("{} ({hint})", failure.message),
        None => failure.message.clone(),
    }
}

/// What a machine of a job engine works with: the same as the process that set the run up.
pub(super) struct Node {
    pub(super) site: Site,
    pub(super) env: Env,
    pub(super) program: PathBuf,
    /// Starts workers.
    pub(super) sandbox: Sandbox,
    pub(super) pack: Pack,
    /// Number of units at the same time.
    pub(super) threads: NonZeroUsize,
}

impl Node {
    /// Sets this machine up for a run.
    ///
    /// # Errors
    ///
    /// Fails if it lacks something that the run was set up with, or has another one.
    fn of(run: &RunFile, env: &Env) -> Result<Self, Failure> {
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
        let level = isolation::choose(Wanted::Exactly(isolation::level(&run.level)?), &program)?;
        let workers_at =
            isolation::choose(Wanted::Workers(isolation::level(&run.workers_at)?), &program)?;
        let tools = site.tools(level)?;
        let sandbox = site.tools(workers_at)?.sandbox;
        let pack = Pack::open(&tools, &site.home, &site.cache(), &run.pack)?;
        let threads = usize::try_from(run.resources.cpus).ok().and_then(NonZeroUsize::new);
        let threads = threads.unwrap_or(NonZeroUsize::MIN);
        Ok(Self { site, env: env.clone(), program, sandbox, pack, threads })
    }
}

/// Grades the submissions of a chunk.
fn grade(
    node: &Node,
    task: &GradingTask,
    chunk: &ChunkFile,
) -> Result<Vec<UnitResult<GradedSubmission>>, Failure> {
    let secret = secret(&node.env, &node.site.home)?;
    same("the course's secret", &digest::of(&[&secret]), &task.secret)?;
    let names = task.names.as_deref().map(plan::names).transpose()?.unwrap_or_default();
    let only = task.only.as_deref().map(plan::glob).transpose()?;
    let (paths, assignment) = (&task.submissions, task.assignment.as_deref());
    let survey = pipeline::survey(node.site.project(), (paths, &names), assignment, only.as_ref())?;
    let options = Options {
        program: node.program.clone(),
        scratch: run::scratch(&std::env::temp_dir())?,
        seed: task.seed,
        secret,
        device: task.device.clone(),
        only: task.only.clone(),
        given: task.assignment.clone(),
        fresh: true,
    };
    let grading = GradingRun::new(&survey, (&node.sandbox, &node.pack), &options, None)?;
    Ok(grade_chunk(&grading, &survey, chunk, node.threads)?)
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
