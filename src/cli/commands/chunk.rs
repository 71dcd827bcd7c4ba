//! `grade chunk`: does a chunk of a run that another process coordinates.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cli::commands::node::{Node, same};
use crate::cli::commands::{audit, calibrate, probe, run};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan;
use crate::cli::secret::secret;
use crate::cli::versions;
use crate::digest;
use crate::jobs::{
    ChunkFile, ChunkOutcome, ChunkResult, GradedSubmission, GradingTask, RunFile, RunFolder, Task,
    UnitResult, grade_chunk, node,
};
use crate::pipeline::{self, Forced, GradingRun, Options};

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
    let run = match RunFile::read(&folder) {
        Ok(run) => run,
        Err(error) => return finish::<()>(Err(error.into()), into),
    };
    match &run.task {
        Task::Grading(task) => {
            let graded = Node::of(&run, env).and_then(|node| grade(&node, task, &chunk));
            finish(graded, into)
        }
        Task::Calibration(task) => {
            let node = Node::of(&run, env);
            finish(node.and_then(|node| calibrate::train_chunk(&node, task, &chunk)), into)
        }
        Task::Audit(task) => {
            let node = Node::of(&run, env);
            finish(node.and_then(|node| audit::audit_chunk(&node, task, &chunk)), into)
        }
        Task::Probe => finish(probe::probe(&run, &chunk, env), into),
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
    let project = node.site.project();
    let mut survey = pipeline::survey(project, (paths, &names), assignment, only.as_ref())?;
    versions::leave_out_what_cannot_count(&mut survey, &node.site.check()?);
    let options = Options {
        program: node.program.clone(),
        scratch: run::scratch(&std::env::temp_dir())?,
        seed: task.seed,
        secret,
        device: task.device.clone(),
        only: task.only.clone(),
        fresh: true,
        forced: Forced::new(),
        brief: false,
    };
    let grading = GradingRun::new(&survey, (&node.sandbox, &node.pack), &options, None)?;
    Ok(grade_chunk(&grading, &survey, chunk, node.threads)?)
}
