//! Trains every variant on every seed.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use softmark_checks::{CheckError, Outcome};
use softmark_exam::check::{Plan, Predictions, train_and_count};
use softmark_exam::{Suite, Training};
use softmark_sandbox::Sandbox;
use softmark_wire::SessionError;
use tempfile::TempDir;
use thiserror::Error;

use crate::assignment::TrainingRules;
use crate::build::{BuildError, Pack, Source};
use crate::calibrate::variant::Variant;
use crate::examine::{Examiner, Programs, Reference, SessionKind, Trusted, TrustedError};
use crate::model::Usage;
use crate::pipeline::{FromThread, distribute};
use crate::session::Budget;

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

/// Environment in which variants are built and trained, and what they are trained for.
#[derive(Debug, Clone, Copy)]
pub struct Trainer<'a> {
    /// Starts compilers and workers.
    pub sandbox: &'a Sandbox,
    /// Prebuilt dependencies that variants are compiled against.
    pub pack: &'a Pack,
    /// Folder in which variants are compiled.
    pub scratch: &'a Path,
    /// Content of the assignment.
    pub suite: &'a Suite,
    /// Task that is trained.
    pub training: &'a Training,
    /// Rules of the training.
    pub rules: &'a TrainingRules,
}

/// A training to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrialId {
    /// Index of the variant.
    pub variant: usize,
    /// Seed of the data, the initial parameters and every random order.
    pub seed: u64,
}

impl TrialId {
    /// Returns the trainings of `variants` variants on these seeds, variant by variant.
    pub fn all(variants: usize, seeds: &[u64]) -> Vec<Self> {
        let of = |variant| seeds.iter().map(move |&seed| Self { variant, seed });
        (0..variants).flat_map(of).collect()
    }
}

/// Result of one training.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Index of the variant.
    pub variant: usize,
    /// Seed of the data, the initial parameters and every random order.
    pub seed: u64,
    /// Number of unseen examples that were answered correctly; 0 if the training failed.
    pub right: usize,
    /// Number of unseen examples.
    pub asked: usize,
    /// Reason why the training failed, if it did.
    pub fault: Option<String>,
    /// Resources that the training used.
    pub usage: Usage,
}

impl Trial {
    /// Returns the share of unseen examples that were answered correctly.
    pub fn accuracy(&self) -> f64 {
        self.right as f64 / self.asked.max(1) as f64
    }
}

impl Trainer<'_> {
    /// Does these trainings of variants, `jobs` at a time; `tell` is called after each. The trials are returned in the order of
    /// `runs`.
    ///
    /// # Errors
    ///
    /// Fails if the grader itself fails.
    pub fn measure(
        &self,
        variants: &[Variant],
        runs: &[TrialId],
        jobs: NonZeroUsize,
        tell: &mut dyn FnMut(&Trial),
    ) -> Result<Vec<Trial>, CalibrateError> {
        let folder = TempDir::new_in(self.scratch)?;
        let wanted: BTreeSet<usize> = runs.iter().map(|run| run.variant).collect();
        let wanted: Vec<usize> = wanted.into_iter().collect();
        let built: Vec<&Variant> = wanted.iter().filter_map(|at| variants.get(*at)).collect();
        let built = self.build(&built, folder.path())?;
        let reference = Reference::new(self.pack, self.suite, folder.path());
        let work = |run: &TrialId, _: &mut dyn FnMut(())| {
            let at = wanted.iter().position(|it| *it == run.variant).unwrap_or(usize::MAX);
            let programs = built.get(at / Trusted::MOST).map(|it| it.programs(at % Trusted::MOST));
            self.train(&programs.unwrap_or_default(), &reference, *run)
        };
        let mut trials = BTreeMap::new();
        let hear = |said: FromThread<(), Result<Trial, CalibrateError>>| {
            let FromThread::Done(place, trial) = said else { return Ok(()) };
            tell(trials.entry(place).or_insert(trial?));
            Ok(())
        };
        distribute::<_, _, _, CalibrateError>(runs, jobs, work, hear)?;
        Ok(trials.into_values().collect())
    }

    /// Builds the program that trains each variant with its own components, several of them as one file.
    fn build(&self, variants: &[&Variant], folder: &Path) -> Result<Vec<Trusted>, CalibrateError> {
        let mut all = Vec::new();
        for group in variants.chunks(Trusted::MOST) {
            let folder = folder.join(all.len().to_string());
            fs::create_dir(&folder)?;
            let programs = (self.suite.programs)().into_iter();
            let own = programs.filter(|(program, _)| *program == self.training.program).collect();
            let sources: Vec<&Source> = group.iter().map(|variant| &variant.source).collect();
            let built = Trusted::build(self.pack, &sources, own, &folder);
            all.push(built.map_err(|error| not_built(error, group))?);
        }
        Ok(all)
    }

    /// Does one training.
    fn train(
        &self,
        programs: &Programs,
        reference: &Reference<'_>,
        TrialId { variant, seed }: TrialId,
    ) -> Result<Trial, CalibrateError> {
        let plan = (self.training.plan)(seed);
        let Counted { counted, usage } =
            reference.as_control(|control| self.count(programs, control, &plan, seed))?;
        let (right, fault) = match counted {
            Ok(counted) => (counted.right(), None),
            Err(outcome) => (0, Some(told(outcome))),
        };
        Ok(Trial { variant, seed, right, asked: plan.unseen.len(), fault, usage })
    }

    /// Trains a program once and counts its right answers.
    fn count(
        &self,
        programs: &Programs,
        control: Option<&Path>,
        plan: &Plan,
        seed: u64,
    ) -> Result<Counted, CalibrateError> {
        let limits = &self.rules.limits;
        let (sandbox, suite) = (self.sandbox, self.suite);
        let examiner = Examiner { sandbox, suite, checks: limits, training: Some(limits) };
        let (answers, budget) = (Source::new(), Budget::unlimited());
        let mut sessions = examiner.sessions(programs, &answers, &budget, control);
        let session = sessions.with(SessionKind::Training(self.training.program))?;
        let counted = match train_and_count(session, plan, seed) {
            Ok(counted) => Ok(counted),
            Err(stop) => Err(stop.into_outcome()?),
        };
        Ok(Counted { counted, usage: sessions.end()?.usage })
    }
}

/// Count of one training, and what it cost.
struct Counted {
    counted: Result<Predictions, Outcome>,
    usage: Usage,
}

/// Returns the error of a group of variants that was not built.
fn not_built(error: TrustedError, group: &[&Variant]) -> CalibrateError {
    match error {
        TrustedError::Build(error) => error.into(),
        TrustedError::Member { member, message } => {
            let name = group.get(member).map_or("", |variant| &variant.name).to_owned();
            CalibrateError::Variant { name, message }
        }
    }
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
