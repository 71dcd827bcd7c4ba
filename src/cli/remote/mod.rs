//! Work that a job engine carries out: sets the run up, shows where it stands, and says how to return to it.

mod grading;

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use softmark_untrusted::Untrusted;

use crate::assignment::Assignment;
use crate::build::Tools;
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::interrupt::set_interrupt_message;
use crate::cli::job_progress::JobProgress;
use crate::cli::plan::EnginePlan;
use crate::cli::site::Site;
use crate::clock;
use crate::course::SlurmSettings;
use crate::jobs::{
    ChunkFile, CommandEngine, Coordinator, Costs, Engine, EngineChoice, JobEvent, Resources,
    RunFile, RunFolder, SlurmEngine, Task, Unit, Work, chunk_count, cut, cut_in_order, job_ids,
};

pub(crate) use grading::grade;

/// Folder of runs in the folder of results.
pub(crate) const RUNS: &str = "runs";

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

/// A run that an engine carries out.
pub(crate) struct Remote<'a> {
    /// Engine, and how it is asked.
    pub(crate) plan: &'a EnginePlan,
    pub(crate) env: &'a Env,
    pub(crate) site: &'a Site,
    pub(crate) tools: &'a Tools,
    /// Key of the prebuilt libraries.
    pub(crate) pack: &'a str,
    /// Level at which workers run.
    pub(crate) workers_at: &'a str,
    /// Folder of results, which all machines of the engine share.
    pub(crate) out: &'a Path,
}

/// Units of a run, and what they are expected to need.
pub(crate) struct Load<'a> {
    /// Names of all units, in the order of the run.
    pub(crate) names: &'a [Untrusted],
    /// Places of those that have a result.
    pub(crate) done: BTreeSet<usize>,
    /// Expected processor time of each.
    pub(crate) costs: &'a Costs,
    /// Rule for cutting them into chunks.
    pub(crate) cut: Cut,
    /// Memory of one of them, in MiB, at its largest.
    pub(crate) mebibytes: u64,
}

/// Rule for cutting units into chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The costs are known, and even the chunks out.
    ByCost,
    /// Neighbours stay together: they share what is built for them.
    Neighbours,
}

impl Remote<'_> {
    /// Returns the places of the units that are in chunks of the run that is returned to; none for a new run.
    ///
    /// # Errors
    ///
    /// Fails if a file of the run cannot be read.
    pub(crate) fn kept(&self) -> Result<BTreeSet<usize>, Failure> {
        Ok(match &self.plan.attached {
            Some(folder) => ChunkFile::places(&RunFolder::open(folder)?)?,
            None => BTreeSet::new(),
        })
    }

    /// Has the units of `load` done, and gives their results to `work`.
    ///
    /// # Errors
    ///
    /// Fails if the run cannot be completed.
    pub(crate) fn carry_out<W: Work>(
        &self,
        task: Task,
        load: &Load<'_>,
        work: &mut W,
        progress: &mut JobProgress,
    ) -> Result<(), Failure> {
        let left: Vec<Unit> = Unit::all(load.names)
            .into_iter()
            .filter(|unit| !load.done.contains(&unit.place))
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        let settings = self.site.check()?.slurm;
        let is_probe = task == Task::Probe;
        let units = (load.names.len(), load.done.clone());
        let (folder, chunks) = if let Some(folder) = &self.plan.attached {
            (RunFolder::open(folder)?, None)
        } else {
            let cpus = self.cpus(&settings);
            let chunks = self.chunks(load, left, (&settings, cpus));
            (self.folder(task, resources(load, cpus, &chunks))?, Some(chunks))
        };
        let resources = RunFile::read(&folder)?.resources;
        let mut engine = self.engine(&settings, &folder)?;
        let mut coordinator = Coordinator::new(units, &folder, &mut *engine, resources);
        if is_probe {
            coordinator = coordinator.without_reruns();
        }
        match chunks {
            None => coordinator.take_over::<W>()?,
            Some(chunks) => coordinator.submit(chunks).inspect_err(|_| {
                // Nothing was submitted, so there is nothing to return to.
                fs::remove_dir_all(folder.path()).ok();
            })?,
        }
        set_interrupt_message(&self.how_to_return(&folder, is_probe));
        let mut hear = |event: JobEvent| progress.handle(&event);
        let waited = coordinator.wait(work, &mut hear);
        set_interrupt_message("");
        waited?;
        // Results are taken, and nothing else of the run is needed.
        fs::remove_dir_all(folder.path()).ok();
        Ok(())
    }

    /// Cuts units into as many chunks as are wanted, or as their costs ask for.
    fn chunks(
        &self,
        load: &Load<'_>,
        left: Vec<Unit>,
        (settings, cpus): (&SlurmSettings, u32),
    ) -> Vec<Vec<Unit>> {
        let costs: Vec<Duration> = left.iter().map(|unit| load.costs.of(&unit.name)).collect();
        let minutes = settings.chunk_minutes.unwrap_or(CHUNK_MINUTES);
        let target = Duration::from_secs(60 * u64::from(minutes));
        let count = self.plan.chunks.map_or_else(
            || chunk_count(costs.iter().sum(), cpus, target, MOST_CHUNKS),
            NonZeroUsize::get,
        );
        match load.cut {
            Cut::ByCost => cut(left.into_iter().zip(costs).collect(), count),
            Cut::Neighbours => cut_in_order(left, count),
        }
    }

    /// Returns how to return to a run that is left alone.
    fn how_to_return(&self, folder: &RunFolder, is_probe: bool) -> String {
        let path = folder.path().display();
        let jobs = job_ids(folder).unwrap_or_default().join(" ");
        match &self.plan.engine {
            EngineChoice::Slurm(_) if is_probe => {
                format!("the jobs go on, and nobody waits for them: `scancel {jobs}` ends them")
            }
            EngineChoice::Command { .. } if is_probe => String::new(),
            EngineChoice::Slurm(_) => {
                format!(
                    "the jobs go on; `grade attach {path}` returns to them, `scancel {jobs}` ends them"
                )
            }
            EngineChoice::Command { .. } => {
                format!("what is done so far is kept; `grade attach {path}` goes on")
            }
        }
    }

    /// Returns the number of units that a job does at the same time.
    fn cpus(&self, settings: &SlurmSettings) -> u32 {
        match &self.plan.engine {
            EngineChoice::Slurm(_) => settings.cpus.unwrap_or(1).max(1),
            EngineChoice::Command { .. } => 1,
        }
    }

    /// Makes the folder of a new run.
    fn folder(&self, task: Task, resources: Resources) -> Result<RunFolder, Failure> {
        let current = self.current();
        let file = RunFile {
            program: self.site.program_digest()?,
            pack: self.pack.to_owned(),
            home: current.join(&self.site.home),
            cache: current.join(self.site.cache()),
            folder: current.clone(),
            level: self.tools.sandbox.level().as_str().to_owned(),
            workers_at: self.workers_at.to_owned(),
            resources,
            engine: self.plan.engine.clone(),
            task,
        };
        let folder = RunFolder::create(&self.out.join(RUNS), &clock::now().replace(':', "-"))?;
        file.write(&folder)?;
        Ok(folder)
    }

    fn engine(
        &self,
        settings: &SlurmSettings,
        folder: &RunFolder,
    ) -> Result<Box<dyn Engine>, Failure> {
        Ok(match &self.plan.engine {
            EngineChoice::Command { command, jobs } => {
                let jobs = usize::try_from(*jobs).ok().and_then(NonZeroUsize::new);
                let jobs = jobs.unwrap_or(NonZeroUsize::MIN);
                let with = (self.tools.sandbox.clone(), self.env.vars.clone());
                Box::new(CommandEngine::new(command, jobs, with, &self.current()))
            }
            EngineChoice::Slurm(arguments) => {
                let program = self.site.program()?;
                Box::new(SlurmEngine::new((self.tools, &program), settings, arguments, folder)?)
            }
        })
    }

    fn current(&self) -> PathBuf {
        self.env.folder.clone().unwrap_or_else(|| PathBuf::from("."))
    }
}

/// Returns what each job needs: for each unit that it does at the same time, the limit of a compiler or what the unit itself needs;
/// the time that the longest chunk is expected to take three times over, and some to spare.
fn resources(load: &Load<'_>, cpus: u32, chunks: &[Vec<Unit>]) -> Resources {
    let each = load.mebibytes.max(COMPILER_MEBIBYTES);
    let cost = |chunk: &Vec<Unit>| expected(load.costs, chunk, cpus);
    let longest = chunks.iter().map(cost).max().unwrap_or_default();
    Resources {
        cpus,
        memory_mebibytes: u64::from(cpus) * each + GRADER_MEBIBYTES,
        minutes: SPARE_MINUTES + 3 * longest.as_secs().div_ceil(60),
    }
}

/// Returns the time that a chunk is expected to take: that of its costliest unit, or that of all on all processors.
fn expected(costs: &Costs, chunk: &[Unit], cpus: u32) -> Duration {
    let each: Vec<Duration> = chunk.iter().map(|unit| costs.of(&unit.name)).collect();
    let longest = each.iter().max().copied().unwrap_or_default();
    longest.max(each.iter().sum::<Duration>() / cpus.max(1))
}

/// Returns the memory of an assignment's workers that are alive together, in MiB: two, of the kind that needs more.
pub(crate) fn of_workers(assignment: &Assignment) -> u64 {
    let training = assignment.training.as_ref().map(|rules| rules.limits.memory_mebibytes);
    2 * assignment.worker.memory_mebibytes.max(training.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_has_time_for_its_chunk() {
        let names: Vec<Untrusted> = (0..300).map(|at| format!("s{at}").into()).collect();
        let costs = Costs::flat(Duration::from_secs(10));
        let of = |count, cpus| {
            let load = Load {
                names: &names,
                done: BTreeSet::new(),
                costs: &costs,
                cut: Cut::ByCost,
                mebibytes: 3000,
            };
            resources(&load, cpus, &cut_in_order(Unit::all(&names), count))
        };
        let expected =
            |cpus, memory_mebibytes, minutes| Resources { cpus, memory_mebibytes, minutes };
        // 3,000 s in one chunk are 50 minutes, and three times as many are granted.
        assert_eq!(of(1, 1), expected(1, 3512, 160));
        assert_eq!(of(1, 2), expected(2, 6512, 85));
        assert_eq!(of(300, 4), expected(4, 12512, 13));
    }
}
