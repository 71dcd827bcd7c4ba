//! Trains every variant on every seed.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use softmark_checks::{CheckError, Outcome};
use softmark_exam::check::train_and_count;
use softmark_exam::{Suite, Training};
use softmark_sandbox::Sandbox;
use softmark_wire::SessionError;
use tempfile::TempDir;
use thiserror::Error;

use crate::assignment::TrainingRules;
use crate::build::{BuildError, Pack};
use crate::calibrate::variant::Variant;
use crate::model::Usage;
use crate::pipeline::{FromThread, distribute};
use crate::session::Remote;

/// Error that stops a calibration.
#[derive(Debug, Error)]
pub enum CalibrateError {
    /// A variant could not be compiled because the machine failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A variant does not compile, which is an error of the project.
    #[error("the variant `{name}` does not compile:\n{message}")]
    Variant {
        /// Name of the variant.
        name: String,
        /// Output of the compiler.
        message: String,
    },
    /// A worker could not be run.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// A folder could not be written, or a thread could not be started.
    #[error("cannot write, or start a thread: {0}")]
    Io(#[from] io::Error),
}

impl From<SessionError> for CalibrateError {
    fn from(error: SessionError) -> Self {
        Self::Check(error.into())
    }
}

/// A training task with its content and rules.
#[derive(Debug, Clone, Copy)]
pub struct Course<'a> {
    /// Content of the assignment.
    pub suite: &'a Suite,
    /// Task that is trained.
    pub training: &'a Training,
    /// Rules of the training.
    pub rules: &'a TrainingRules,
}

/// Result of one training.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Index of the variant.
    pub variant: usize,
    /// Seed of the data, the initial parameters and every random order.
    pub seed: u64,
    /// Share of unseen examples that were answered correctly; 0 if the training failed.
    pub accuracy: f64,
    /// Number of unseen examples.
    pub asked: usize,
    /// Reason why the training failed, if it did.
    pub fault: Option<String>,
    /// Resources that the training used.
    pub usage: Usage,
}

/// Trains each of the variants on each of the seeds, `jobs` at a time; `tell` is called after each training.
/// The trials are returned in the order of variants and seeds.
///
/// # Errors
///
/// Fails if the grader itself fails.
pub fn measure(
    (sandbox, pack, scratch): (&Sandbox, &Pack, &Path),
    course: Course<'_>,
    variants: &[Variant],
    seeds: &[u64],
    jobs: NonZeroUsize,
    tell: &mut dyn FnMut(&Trial),
) -> Result<Vec<Trial>, CalibrateError> {
    let (mut programs, mut kept) = (Vec::new(), Vec::new());
    for variant in variants {
        let folder = TempDir::new_in(scratch)?;
        programs.push(program(pack, course, variant, folder.path())?);
        kept.push(folder);
    }
    let things: Vec<(usize, u64)> =
        (0..variants.len()).flat_map(|at| seeds.iter().map(move |seed| (at, *seed))).collect();
    let work = |&(at, seed): &(usize, u64), _: &mut dyn FnMut(())| {
        let program = programs.get(at).cloned().unwrap_or_default();
        train(sandbox, program, course, (at, seed))
    };
    let mut trials = BTreeMap::new();
    let hear = |said: FromThread<(), Result<Trial, CalibrateError>>| -> Result<(), CalibrateError> {
        if let FromThread::Done(place, trial) = said {
            let trial = trial?;
            tell(&trial);
            trials.insert(place, trial);
        }
        Ok(())
    };
    distribute(&things, jobs, work, hear)?;
    Ok(trials.into_values().collect())
}

/// Returns the program that trains a variant with its own components.
fn program(
    pack: &Pack,
    course: Course<'_>,
    variant: &Variant,
    folder: &Path,
) -> Result<PathBuf, CalibrateError> {
    let failed = |message: String| CalibrateError::Variant { name: variant.name.clone(), message };
    let programs = (course.suite.programs)();
    let spec = programs.into_iter().find(|(program, _)| *program == course.training.program);
    let (_, spec) =
        spec.ok_or_else(|| failed("the suite has no program to train in".to_owned()))?;
    let specs = [spec];
    let built = pack.compile(&variant.source, &specs, folder)?;
    let built = built.into_result().map_err(|fault| failed(fault.message.to_multiline()))?;
    let program = built.programs.into_values().next();
    program.ok_or_else(|| failed("nothing was linked".to_owned()))
}

fn train(
    sandbox: &Sandbox,
    program: PathBuf,
    course: Course<'_>,
    (variant, seed): (usize, u64),
) -> Result<Trial, CalibrateError> {
    let plan = (course.training.plan)(seed);
    let mut session = Remote::new(sandbox.clone(), program, course.rules.limits.clone());
    let counted = train_and_count(&mut session, &plan, seed)?;
    let (usage, _) = session.end()?;
    let asked = plan.unseen.len();
    let (accuracy, fault) = match counted {
        Ok(counted) => (counted.accuracy(), None),
        Err(outcome) => (0.0, Some(told(outcome))),
    };
    Ok(Trial { variant, seed, accuracy, asked, fault, usage })
}

fn told(outcome: Outcome) -> String {
    match outcome {
        Outcome::Pass => String::new(),
        Outcome::Wrong { message, .. }
        | Outcome::NotImplemented { message }
        | Outcome::Fault { message, .. }
        | Outcome::Blocked { message, .. } => message,
    }
}
