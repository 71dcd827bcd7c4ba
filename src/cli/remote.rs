//! Grading by a job engine: sets the run up, shows where it stands, and says how to return to it.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::assignment::Assignment;
use crate::build::{Pack, Tools};
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::interrupt::set_interrupt_message;
use crate::cli::job_progress::JobProgress;
use crate::cli::plan::RunPlan;
use crate::clock;
use crate::course::SlurmSettings;
use crate::digest;
use crate::jobs::{
    ChunkFile, CommandEngine, Coordinator, Costs, Engine, EngineChoice, JobEvent, Resources,
    RunFile, RunFolder, Settled, SlurmEngine, chunk_count, job_ids, settle,
};
use crate::model::Record;
use crate::pipeline::{Event, GradingRun, Options, Survey, Treatment};

/// Folder of runs in the folder of results.
const RUNS: &str = "runs";

/// Minutes that a chunk should take: long beside the start of a job, short beside the time that is lost with it.
const CHUNK_MINUTES: u32 = 3;

/// Most chunks of a run: job arrays have at most 1001 tasks by default, and lost chunks need some.
const MOST_CHUNKS: usize = 1000;

/// Memory of a compiler, in MiB: its limit.
const COMPILER_MEBIBYTES: u64 = 2048;

/// Memory of the grader itself in a job, in MiB, with the files that it writes.
const GRADER_MEBIBYTES: u64 = 512;

/// Longest time of a job beyond the expected one, in minutes.
const SPARE_MINUTES: u64 = 10;

/// A run that is to be carried out by an engine.
pub(crate) struct RemoteRun<'a> {
    pub(crate) plan: &'a RunPlan,
    /// Job engine.
    pub(crate) engine: EngineChoice,
    pub(crate) env: &'a Env,
    pub(crate) survey: &'a Survey,
    pub(crate) options: &'a Options,
    pub(crate) tools: &'a Tools,
    pub(crate) pack: &'a Pack,
    /// Level at which workers run.
    pub(crate) workers_at: &'a str,
    /// Processor time of submissions in earlier runs.
    pub(crate) costs: Costs,
}

impl RemoteRun<'_> {
    /// Grades all submissions; `listen` gets the events of those that are done.
    ///
    /// # Errors
    ///
    /// Fails if the run cannot be completed.
    pub(crate) fn carry_out(
        &self,
        run: &GradingRun<'_>,
        progress: &mut JobProgress,
        listen: &mut dyn FnMut(&Event),
    ) -> Result<Vec<Record>, Failure> {
        let mut hear = |event: JobEvent| {
            if let JobEvent::Graded(event) = &event {
                listen(event);
            }
            progress.handle(&event);
        };
        let settings = self.plan.site.check()?.slurm;
        let cpus = self.cpus(&settings);
        let attached = self.plan.engine.attached.as_deref();
        let settled = match attached {
            // What is in chunks is taken from them, and not from an earlier run.
            Some(folder) => {
                let kept = ChunkFile::places(&RunFolder::open(folder)?)?;
                settle(run, self.survey, &kept, &mut hear)?
            }
            None => settle(run, self.survey, &BTreeSet::new(), &mut hear)?,
        };
        let Settled { records, left } = settled;
        if left.is_empty() {
            return Ok(records.into_values().collect());
        }
        let folder = match attached {
            Some(folder) => RunFolder::open(folder)?,
            None => self.folder(cpus)?,
        };
        let mut engine = self.engine(&settings, &folder)?;
        let resources = self.resources(cpus, &left);
        let mut coordinator =
            Coordinator::new((run, self.survey), &folder, &mut *engine, resources, records);
        if attached.is_some() {
            coordinator.take_over()?;
        } else {
            let total = left.iter().map(|place| self.cost(*place)).sum();
            let minutes = settings.chunk_minutes.unwrap_or(CHUNK_MINUTES);
            let target = Duration::from_secs(60 * u64::from(minutes));
            let count = self
                .plan
                .engine
                .chunks
                .map_or_else(|| chunk_count(total, cpus, target, MOST_CHUNKS), NonZeroUsize::get);
            coordinator.submit(&left, &self.costs, count).inspect_err(|_| {
                // Nothing was submitted, so there is nothing to return to.
                fs::remove_dir_all(folder.path()).ok();
            })?;
        }
        set_interrupt_message(&self.how_to_return(&folder));
        let records = coordinator.wait(&mut hear)?;
        set_interrupt_message("");
        // Records are in the folder of results, and nothing else of the run is needed.
        fs::remove_dir_all(folder.path()).ok();
        Ok(records)
    }

    /// Returns how to return to a run that is left alone.
    fn how_to_return(&self, folder: &RunFolder) -> String {
        let path = folder.path().display();
        match &self.engine {
            EngineChoice::Slurm(_) => {
                let jobs = job_ids(folder).unwrap_or_default().join(" ");
                format!(
                    "the jobs go on; `grade attach {path}` returns to them, `scancel {jobs}` ends them"
                )
            }
            EngineChoice::Command { .. } => {
                format!("what is graded so far is kept; `grade attach {path}` goes on")
            }
        }
    }

    fn cost(&self, place: usize) -> Duration {
        let entry = self.survey.entries.get(place);
        entry.map(|entry| self.costs.of(&entry.candidate.name)).unwrap_or_default()
    }

    /// Returns the number of submissions that a job grades at the same time.
    fn cpus(&self, settings: &SlurmSettings) -> u32 {
        match &self.engine {
            EngineChoice::Slurm(_) => settings.cpus.unwrap_or(1).max(1),
            EngineChoice::Command { .. } => 1,
        }
    }

    /// Makes the folder of a new run.
    fn folder(&self, cpus: u32) -> Result<RunFolder, Failure> {
        let RunPlan { site, submissions, names_given, assignment, only, seed, device, .. } =
            self.plan;
        let out = self.out()?;
        let current = self.env.folder.clone().unwrap_or_else(|| PathBuf::from("."));
        let absolute = |path: &Path| current.join(path);
        let file = RunFile {
            program: site.program_digest()?,
            pack: self.pack.key().to_owned(),
            secret: digest::of(&[&self.options.secret]),
            home: absolute(&site.home),
            cache: absolute(&site.cache()),
            folder: current.clone(),
            submissions: submissions.clone(),
            names: names_given.clone(),
            assignment: assignment.clone(),
            only: only.as_ref().map(|only| only.glob().glob().to_owned()),
            seed: *seed,
            device: device.clone(),
            level: self.tools.sandbox.level().as_str().to_owned(),
            workers_at: self.workers_at.to_owned(),
            cpus,
            out: out.to_owned(),
            engine: self.engine.clone(),
        };
        let folder = RunFolder::create(&out.join(RUNS), &clock::now().replace(':', "-"))?;
        file.write(&folder)?;
        Ok(folder)
    }

    fn out(&self) -> Result<&Path, Failure> {
        self.plan.out.as_deref().ok_or_else(|| {
            Failure::usage(
                "a run of a job engine needs a folder of results, which all its machines share",
                "name one with `--out DIR`",
            )
        })
    }

    fn engine(
        &self,
        settings: &SlurmSettings,
        folder: &RunFolder,
    ) -> Result<Box<dyn Engine>, Failure> {
        Ok(match &self.engine {
            EngineChoice::Command { command, .. } => {
                let with = (self.tools.sandbox.clone(), self.env.vars.clone());
                let current = self.env.folder.clone().unwrap_or_else(|| PathBuf::from("."));
                Box::new(CommandEngine::new(command, self.plan.jobs, with, &current))
            }
            EngineChoice::Slurm(arguments) => Box::new(SlurmEngine::new(
                (self.tools, &self.options.program),
                settings,
                arguments,
                folder,
            )?),
        })
    }

    /// Returns what each job needs: for each submission that it grades at the same time, the limits of a compiler or of the workers
    /// that are alive together; the time that its submissions are expected to take three times over, and some to spare.
    fn resources(&self, cpus: u32, left: &[usize]) -> Resources {
        let assignments = self.survey.entries.iter().filter_map(|entry| match &entry.treatment {
            Treatment::Assigned(assigned) => Some(&assigned.assignment),
            Treatment::Rejected(_) | Treatment::NoGrade(_) => None,
        });
        let workers = assignments.map(of_workers).max().unwrap_or_default();
        let each = workers.max(COMPILER_MEBIBYTES);
        let total: Duration = left.iter().map(|place| self.cost(*place)).sum();
        let longest = left.iter().map(|place| self.cost(*place)).max().unwrap_or_default();
        let chunk = Duration::from_secs(60 * u64::from(CHUNK_MINUTES)).min(total).max(longest);
        Resources {
            cpus,
            memory_mebibytes: u64::from(cpus) * each + GRADER_MEBIBYTES,
            minutes: SPARE_MINUTES + 3 * chunk.as_secs().div_ceil(60),
        }
    }
}

/// Returns the memory of an assignment's workers that are alive together, in MiB: two, of the kind that needs more.
fn of_workers(assignment: &Assignment) -> u64 {
    let training = assignment.training.as_ref().map(|rules| rules.limits.memory_mebibytes);
    2 * assignment.worker.memory_mebibytes.max(training.unwrap_or_default())
}
